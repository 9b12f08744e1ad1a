import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address of a photo that will not be fetched, whatever its host would answer. */
export class AddressError extends Error {
  override name = 'AddressError';
}

/**
 * Checks an address out of a feed before anything is sent: a feed is not ours and must not lead us to hosts of our own
 * network. `privateHosts` (`host:port`) are let through.
 * @throws AddressError
 */
export function checkAddress(address: string, privateHosts: readonly string[]): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new AddressError('not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AddressError(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new AddressError('credentials in the address');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPrivateHost(url, privateHosts) && !isPublic(host)) {
    throw new AddressError(`${host} is not a public address`);
  }
  return url;
}

/** Whether the configuration lets a host lie on a private address. */
export function isPrivateHost(url: URL, privateHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return privateHosts.includes(`${url.hostname}:${port}`);
}

/** Resolves names to public addresses only; looked at while connecting, so that no second answer slips past. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const found = addresses.filter(({ address }) => isPublic(address));
    const first = found[0];
    if (!first) return callback(new AddressError(`${hostname} has no public address`), '', 0);
    if (options.all) return (callback as unknown as (error: null, all: typeof found) => void)(null, found);
    callback(null, first.address, first.family);
  });
};

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
