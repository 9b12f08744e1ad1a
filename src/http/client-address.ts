import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
const parsedRanges = new WeakMap<readonly string[], Range[]>();

/**
 * The caller's address. `X-Forwarded-For` counts only as far as it was written by a trusted proxy: read from the
 * right, the first address that is not a trusted proxy is the caller. With no trusted proxies it is the socket's.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string | null {
  const socket = normalize(request.socket.remoteAddress ?? '');
  if (socket === null || trustedProxies.length === 0) return socket;
  let ranges = parsedRanges.get(trustedProxies);
  if (!ranges) {
    ranges = trustedProxies.map((cidr) => ipaddr.parseCIDR(cidr));
    parsedRanges.set(trustedProxies, ranges);
  }
  const trusted = ranges;
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.parse(address);
    return trusted.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base as never, bits));
  };
  let address = socket;
  const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').reverse();
  for (const hop of forwarded) {
    if (!isTrusted(address)) break;
    const next = normalize(hop.trim());
    if (next === null) break;
    address = next;
  }
  return address;
}

/** An IPv4 address that came in IPv6 clothing is the IPv4 address. Null when it is no address. */
function normalize(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}
