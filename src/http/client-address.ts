import { isIP, isIPv4, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpMiddleware } from './context.ts';

/** Parses an address or a CIDR range. IPv4-mapped IPv6 becomes IPv4, like client addresses. */
function parseRange(text: string): [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number] | null {
  const range = text.trim();
  const [address = ''] = range.split('/');
  const isAddress = isIP(range) !== 0;
  if (isIP(address) === 0 || address.includes('%') || !(isAddress || ipaddr.isValidCIDR(range))) return null;
  const [base, bits] = isAddress ? [ipaddr.parse(range), isIPv6(range) ? 128 : 32] : ipaddr.parseCIDR(range);
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [base.toIPv4Address(), bits - 96] : [base, bits];
}

export function networkRange(text: string): string | null {
  const range = parseRange(text);
  if (!range) return null;
  const family = range[0].kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(range.join('/'))}/${range[1]}`;
}

/** @throws Error naming the first entry that is neither an address nor a CIDR range */
export function networkCheck(networks: readonly string[]): (address: string | null) => boolean {
  const ranges = networks.map((text) => {
    const range = parseRange(text.replace(/%[^/]*/, ''));
    if (!range) throw new Error(`TRUSTED_PROXIES: "${text}" is not an address or a CIDR range.`);
    return range;
  });
  return (address) => address !== null && ipaddr.subnetMatch(ipaddr.parse(address), { ranges }, '') === 'ranges';
}

/** Null if the connection has ended. */
export const connectionAddress = ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string | null =>
  parseAddress(remoteAddress);

/** An address in quotes or brackets, with a port, or with a zone (`%eth0`), which is valid only on the local host. */
const ADDRESS = /^(?:\[([\da-f:.]+)(?:%[^\]]*)?\](?::\d{1,5})?|([\d.]+):\d{1,5}|([\da-f:.]+)(?:%\S*)?)$/i;

/** Parses an address in every notation that proxies write. IPv4-mapped IPv6 becomes IPv4. */
export function parseAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const [, inBrackets, withPort, plain] = ADDRESS.exec(text.trim().replace(/^"(.*)"$/, '$1')) ?? [];
  const bare = inBrackets ?? withPort ?? plain ?? '';
  const isValid = inBrackets === undefined ? isIP(bare) !== 0 : isIPv6(bare);
  return isValid ? ipaddr.process(bare).toString() : null;
}

/**
 * Every proxy appends the address of its client to `X-Forwarded-For`: the last address that is not a trusted proxy is
 * the caller's. If a trusted proxy wrote something else, the address is unknown: the request must not count as one of the proxy.
 */
export function readClientAddress(trustedProxies: readonly string[]): HttpMiddleware {
  const isTrusted = networkCheck(trustedProxies);
  return (context, next) => {
    let address = connectionAddress(context.req.socket);
    const forwarded = [context.req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').reverse();
    for (const hop of forwarded) {
      if (hop.trim() === '') continue;
      if (!isTrusted(address)) break;
      address = parseAddress(hop);
    }
    context.state.ip = address;
    return next();
  };
}
