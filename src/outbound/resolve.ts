import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AddressError, type AddressPolicy, checkAddress, isPrivateHost, isPublic } from './address.ts';

/** Finds every address of a name, A and AAAA. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (name) => dns.lookup(name, { all: true });

/**
 * Resolves names for a connection that is being made: it goes to the very addresses that were checked here, so that a
 * name cannot mean one host when it is checked and another when it is called. A name with any address that is not
 * public is refused as a whole.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const first = addresses[0];
        if (!first || !addresses.every(({ address }) => isPublic(address)))
          callback(new AddressError(`${name} has an address that is not public`), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/**
 * Checks an address and all that its name resolves to now, for whoever registers it. It is checked again with every call.
 * @throws AddressError
 */
export async function checkDestination(
  address: string,
  policy: AddressPolicy,
  resolve: Resolve,
  timeoutMs: number,
): Promise<URL> {
  const url = checkAddress(address, policy);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isPrivateHost(url, policy) || isIP(host) !== 0) return url;
  const limit = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new AddressError(`${host} does not resolve in time`)), { once: true });
  });
  const addresses = await Promise.race([resolve(host), late]).catch((error: unknown) => {
    throw error instanceof AddressError ? error : new AddressError(`${host} does not resolve`);
  });
  if (addresses.length === 0) throw new AddressError(`${host} does not resolve`);
  if (!addresses.every((each) => isPublic(each.address)))
    throw new AddressError(`${host} has an address that is not public`);
  return url;
}
