import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads a caller's address; null when the socket has none any more. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string | null;

/**
 * How callers' addresses are read. `X-Forwarded-For` counts only as far as it was written by a trusted proxy: read
 * from the right, the first address that is not a trusted proxy is the caller. With no trusted proxies it is the socket's.
 * @param trustedProxies addresses or CIDR ranges
 * @throws Error naming a range that is none
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.parse(address);
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base as never, bits));
  };
  return (request) => {
    let address = normalize(request.socket.remoteAddress ?? '');
    if (address === null || ranges.length === 0) return address;
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').reverse();
    for (const hop of forwarded) {
      if (!isTrusted(address)) break;
      const next = normalize(hop.trim());
      if (next === null) break;
      address = next;
    }
    return address;
  };
}

function parseRange(text: string): [Address, number] {
  if (isIP(text) !== 0) return [ipaddr.process(text), isIP(text) === 4 ? 32 : 128];
  if (!ipaddr.isValidCIDR(text)) throw new Error(`TRUSTED_PROXIES: "${text}" is not an address or a CIDR range.`);
  return ipaddr.parseCIDR(text);
}

/** An IPv4 address that came in IPv6 clothing is the IPv4 address; zones mean nothing outside the host. Null when it is no address. */
function normalize(text: string): string | null {
  const bare = text.replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}
