import type { LookupAddress } from 'node:dns';
import { Resolver, TIMEOUT } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { AddressError, type AddressPolicy, checkAddress, isPrivateHost, isPublic } from './address.ts';

/** Returns all A and AAAA records of a host name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

const TIMEOUT_MS = 5_000;
/** Queries per record type. The delay between them doubles. */
const TRIES = 3;
const RETRY_AFTER_MS = 500;

/**
 * Queries name servers directly, because the system's resolver occupies one of the few libuv threads while a name
 * server does not respond. Connections to private hosts use it, for `/etc/hosts`.
 */
export const systemResolve: Resolve = async (name) => {
  // A resolver per name caches nothing and can be cancelled individually.
  const resolver = new Resolver({ timeout: RETRY_AFTER_MS, tries: TRIES, maxTimeout: TIMEOUT_MS });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    resolver.cancel();
  }, TIMEOUT_MS);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    // If one record type fails, only the addresses of the other are used.
    if (v4.status === 'rejected' && v6.status === 'rejected')
      throw late ? Object.assign(new Error(`${name} was not resolved in time`), { code: TIMEOUT }) : v4.reason;
    return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  } finally {
    clearTimeout(limit);
  }
};

const addressesOf = (found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }));

/**
 * Connections are opened to the checked addresses, so that a name cannot resolve to another host in between. All of its
 * addresses must be public.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    publicAddresses(name, resolve).then(
      ([first, ...others]) =>
        options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/**
 * Checks a destination with all its current IP addresses. Each request checks them again.
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
  await Promise.race([publicAddresses(host, resolve), late]).catch((error: unknown) => {
    throw error instanceof AddressError ? error : new AddressError(`${host} does not resolve`);
  });
  return url;
}

/** @throws AddressError if the name has no addresses, or one that is not public; errors of `resolve` */
async function publicAddresses(name: string, resolve: Resolve): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(name);
  if (!first) throw new AddressError(`${name} does not resolve`);
  if (![first, ...others].every(({ address }) => isPublic(address)))
    throw new AddressError(`${name} has an address that is not public`);
  return [first, ...others];
}
