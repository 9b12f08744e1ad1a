import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpMiddleware } from './context.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Creates a function that checks whether an address belongs to a trusted proxy.
 * @param trustedProxies addresses or CIDR ranges
 * @throws Error naming the first entry that is neither
 */
export function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const ranges = trustedProxies.map((text) => {
    const range = parseRange(text);
    if (range === null) throw new Error(`TRUSTED_PROXIES: "${text}" is not an address or a CIDR range.`);
    return range;
  });
  return (address) => {
    if (ranges.length === 0) return false;
    const parsed = ipaddr.parse(address);
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base as never, bits));
  };
}

/** Returns the remote address of a connection, or null if the connection has ended. */
export const connectionAddress = ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string | null =>
  normalize(remoteAddress);

/** Returns an entry of an IP allowlist as a CIDR range, or null if it is neither an address nor a CIDR range. */
export function allowedRange(text: string): string | null {
  const range = text.trim();
  const [address = ''] = range.split('/');
  const parsed = isIP(address) !== 0 && !address.includes('%') ? parseRange(range) : null;
  if (parsed === null) return null;
  const [base, bits] = parsed;
  const family = base.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${base}/${bits}`)}/${bits}`;
}

/**
 * Parses an address, as a range of one address, or a CIDR range. IPv4-mapped IPv6 addresses and ranges become IPv4, like
 * client addresses. Returns null if the text is neither.
 */
function parseRange(text: string): [base: Address, bits: number] | null {
  const isAddress = isIP(text) !== 0;
  if (!isAddress && !ipaddr.isValidCIDR(text)) return null;
  const [base, bits] = isAddress ? [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128] : ipaddr.parseCIDR(text);
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [base.toIPv4Address(), bits - 96] : [base, bits];
}

/**
 * Normalizes an address: converts an IPv4-mapped IPv6 address (`::ffff:203.0.113.7`) to IPv4, and removes a zone
 * (`%eth0`), which is valid only on the local host. Returns null if the text is not an address.
 */
function normalize(text: string): string | null {
  const bare = text.replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

/**
 * Stores the caller's address in the request state for later middleware. Every proxy appends the address of its client
 * to `X-Forwarded-For`, so the header is read from right to left: the first address that is not a trusted proxy is the
 * caller's. Without trusted proxies, the header is ignored and the address of the connection is used.
 * @param trustedProxies addresses or CIDR ranges
 * @throws Error naming the first entry that is neither
 */
export function readClientAddress(trustedProxies: readonly string[]): HttpMiddleware {
  const isTrusted = createProxyCheck(trustedProxies);
  return (context, next) => {
    let address = connectionAddress(context.req.socket);
    const forwarded = [context.req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').reverse();
    for (const hop of forwarded) {
      if (address === null || !isTrusted(address)) break;
      const client = normalize(hop.trim());
      if (client === null) break;
      address = client;
    }
    context.state.ip = address;
    return next();
  };
}
