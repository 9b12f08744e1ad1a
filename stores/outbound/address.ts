import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export class AddressError extends Error {
  override name = 'AddressError';
}

export interface AddressPolicy {
  /** Hosts, as `hostOf` returns them, that may be private and use http. */
  privateHosts?: readonly string[];
  /** Whether only https on port 443 is accepted. */
  httpsOnly?: boolean;
}

/**
 * Checks an address before its name is resolved. The IP addresses are checked when the connection is opened.
 * @throws AddressError
 */
export function checkAddress(address: string | URL, policy: AddressPolicy = {}): URL {
  const url = URL.parse(String(address));
  if (url === null) throw new AddressError('not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AddressError(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new AddressError('credentials in the address');
  if (isPrivateHost(url, policy)) return url;
  if (policy.httpsOnly && url.protocol !== 'https:') throw new AddressError('not https');
  if (policy.httpsOnly && url.port !== '') throw new AddressError(`port ${url.port}`);
  // The URL parser has already normalized all notations for IP addresses.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new AddressError(`${host} is not a public address`);
  // RFC 6761 reserves these names for the local host.
  if (/(^|\.)localhost\.?$/.test(host)) throw new AddressError(`${host} is this machine`);
  return url;
}

/** Returns a link for visitors, in ASCII; null unless it is an http(s) URL of a public host without a user name. */
export function publicLink(address: string): string | null {
  try {
    return checkAddress(address).href;
  } catch {
    return null;
  }
}

export function isPrivateHost(url: URL, { privateHosts = [] }: AddressPolicy): boolean {
  return privateHosts.includes(hostOf(url));
}

/** Returns `host:port`, also for default ports. */
export function hostOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

/** Public unicast addresses. ipaddr.js also classifies unassigned addresses as `unicast`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Prefix that IPv6-only networks use to embed IPv4 addresses. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Public addresses of internal services of cloud platforms. */
const PLATFORM_HOSTS = ['168.63.129.16'];

/** Also checks an embedded IPv4 address. */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !PLATFORM_HOSTS.includes(`${address}`);
  if (address.match(NAT64)) return isPublic(lastFourBytes(address));
  if (!address.match(GLOBAL_IPV6) || address.range() !== 'unicast') return false;
  return !isIsatap(address) || isPublic(lastFourBytes(address));
}

/** Returns whether IPv4 is embedded for an ISATAP tunnel (RFC 5214), with any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function lastFourBytes(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}
