import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpMiddleware } from './context.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads a caller's address; null when the connection has ended. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string | null;

/**
 * Creates the reader of callers' addresses. Every proxy appends the address it was called from to `X-Forwarded-For`, so
 * the header is read from the right: the first address that is not a trusted proxy is the caller's. Without trusted
 * proxies the header is ignored, and the caller's address is the connection's.
 * @param trustedProxies addresses or CIDR ranges
 * @throws Error naming an entry that is neither
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

/**
 * One spelling for an address: an IPv4 address written as IPv6 (`::ffff:203.0.113.7`) becomes IPv4, and a zone
 * (`%eth0`), which has a meaning only on its own host, is removed. Null when the text is not an address.
 */
function normalize(text: string): string | null {
  const bare = text.replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

/** Finds out who calls, for the steps that come after. */
export function readClientAddress(trustedProxies: readonly string[]): HttpMiddleware {
  const clientAddress = createClientAddress(trustedProxies);
  return (context, next) => {
    context.state.ip = clientAddress(context.req);
    return next();
  };
}
