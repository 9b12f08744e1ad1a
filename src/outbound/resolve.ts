import type { LookupAddress } from 'node:dns';
import { Resolver, TIMEOUT } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { AddressError, type AddressPolicy, checkAddress, isPrivateHost, isPublic } from './address.ts';

/** Finds every address of a name, A and AAAA. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface NameServers {
  /** `address:port` of each; those of this machine when not said. */
  servers?: readonly string[];
  /** Milliseconds that a name may take. */
  timeoutMs?: number;
}

/** Milliseconds until a question is asked again, for the first time. */
const ASK_AGAIN = 500;

/**
 * Asks name servers over sockets of its own. The system's resolver would hold one of the process's few threads for as
 * long as a name's servers are silent: a handful of such names would stop every other name, and all else that threads
 * do. It also knows `/etc/hosts`, which is for hosts of one's own; those are called by way of `privateHosts`.
 */
export function createResolve({ servers, timeoutMs = 5_000 }: NameServers = {}): Resolve {
  return async (name) => {
    // One for each name: it reads what servers the machine has now, remembers nothing, and can be given up by itself.
    const resolver = new Resolver({ timeout: ASK_AGAIN, tries: 3, maxTimeout: timeoutMs });
    if (servers) resolver.setServers(servers);
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      resolver.cancel();
    }, timeoutMs);
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      // One kind may be missing, or its question unanswered: only the addresses that are known are ever called.
      if (v4.status === 'rejected' && v6.status === 'rejected')
        throw late ? Object.assign(new Error(`${name} was not resolved in time`), { code: TIMEOUT }) : v4.reason;
      return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    } finally {
      clearTimeout(limit);
    }
  };
}

const addressesOf = (found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }));

export const systemResolve: Resolve = createResolve();

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
