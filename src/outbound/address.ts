import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that the client refuses to call. */
export class AddressError extends Error {
  override name = 'AddressError';
}

/** The addresses that an outbound client accepts. */
export interface AddressPolicy {
  /** Hosts that the configuration itself names, as `hostOf` writes them: these may be anywhere, on any port and scheme. */
  privateHosts?: readonly string[];
  httpsOnly?: boolean;
  /** Only 443 for https and 80 for http. */
  defaultPortOnly?: boolean;
}

/**
 * Checks an address that others chose, before a name is resolved or anything is sent. Names are checked again by the
 * addresses they resolve to, while connecting.
 * @throws AddressError
 */
export function checkAddress(address: string | URL, policy: AddressPolicy = {}): URL {
  const url = URL.parse(String(address));
  if (url === null) throw new AddressError('not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AddressError(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new AddressError('credentials in the address');
  if (isPrivateHost(url, policy)) return url;
  if (policy.httpsOnly && url.protocol !== 'https:') throw new AddressError('not https');
  if (policy.defaultPortOnly && url.port !== '') throw new AddressError(`port ${url.port}`);
  // The parser has turned every spelling of an IP address into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new AddressError(`${host} is not a public address`);
  // These names are always local (RFC 6761).
  if (/(^|\.)localhost\.?$/.test(host)) throw new AddressError(`${host} is this machine`);
  return url;
}

export function isPrivateHost(url: URL, { privateHosts = [] }: AddressPolicy): boolean {
  return privateHosts.includes(hostOf(url));
}

/** `host:port`, the port always written. */
export function hostOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

/** All that is given out to the public of IPv6; most of the rest is unassigned, which `range` calls unicast too. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Under this prefix a network without IPv4 writes the IPv4 addresses of others. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Public addresses at which a cloud platform serves its own machines. */
const PLATFORM_HOSTS = ['168.63.129.16'];

/** Whether an IP address is one of the public internet, and so is any IPv4 address written inside it. */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !PLATFORM_HOSTS.includes(`${address}`);
  if (address.match(NAT64)) return isPublic(lastFourBytes(address));
  if (!address.match(GLOBAL_IPV6) || address.range() !== 'unicast') return false;
  return !isIsatap(address) || isPublic(lastFourBytes(address));
}

/** An IPv6 address that a tunnel makes of an IPv4 address, under any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function lastFourBytes(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}
