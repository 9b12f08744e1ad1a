import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { checkAddress } from '#stores/outbound/address.ts';
import { createOutboundClient, type OutboundResponse } from '#stores/outbound/outbound-client.ts';
import type { PhotoOptions } from '../run/photo-options.ts';

const MAX_REDIRECTS = 3;
/** Other validators are too long, or invalid in a header. */
const VALIDATOR = /^[\x20-\x7e]{1,200}$/;

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedPhoto {
  bytes: Buffer;
  validators: Validators;
}

export type Downloader = ReturnType<typeof createDownloader>;

/** The request is postponed to a later run, because the host does not respond. */
export class UnresponsiveHostError extends Error {}

/** A host is unresponsive when so many timeouts, or the equivalent time, passed without a response, and most of its time did. */
const LOST_TIMEOUTS = 3;
/** The pause before a request to a failing host is this part of the timeout. */
const PAUSES = 10;

interface Host {
  queue: Bottleneck;
  /** Milliseconds of all requests, and of those without a response, or with one that states an overload. */
  spent: number;
  lost: number;
  /** Whether the last request had no response, or one that states an overload. */
  isFailing: boolean;
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? '';

export function createDownloader(options: PhotoOptions) {
  const client = createOutboundClient({
    connections: options.concurrencyPerHost,
    privateHosts: options.privateHosts,
    userAgent: options.userAgent,
  });
  const all = new Bottleneck({ maxConcurrent: options.concurrency });
  const hosts = new Map<string, Host>();
  const hostAt = (address: string): Host => {
    const name = hostOf(address);
    const host = hosts.get(name) ?? {
      // A host takes its own slots first, so that a slow one cannot occupy all slots.
      queue: new Bottleneck({ maxConcurrent: options.concurrencyPerHost }).chain(all),
      spent: 0,
      lost: 0,
      isFailing: false,
    };
    hosts.set(name, host);
    return host;
  };
  const isUnresponsive = ({ lost, spent }: Host): boolean =>
    lost >= LOST_TIMEOUTS * options.timeout && lost * 2 >= spent;

  return {
    /** Runs work that requests an address, within the limits for all hosts and for its host. */
    schedule: <Result>(address: string, work: () => Promise<Result>): Promise<Result> =>
      hostAt(address).queue.schedule(work),
    /**
     * Fetches the bytes at a URL.
     * @param earlier validators of an earlier response, which make the request conditional
     * @returns null if the bytes are those of the earlier response
     * @throws AddressError, UnresponsiveHostError without a request, or Error with the host's failure
     */
    get: async (address: string, signal: AbortSignal, earlier?: Validators): Promise<FetchedPhoto | null> => {
      const url = checkAddress(address, options);
      const host = hostAt(address);
      // During the pause, requests that began together with the failed one end and are counted.
      if (host.isFailing && !isUnresponsive(host)) await sleep(options.timeout / PAUSES, undefined, { signal });
      if (isUnresponsive(host)) throw new UnresponsiveHostError('host unresponsive');
      const conditions = {
        ...(earlier?.etag && { 'if-none-match': earlier.etag }),
        ...(earlier?.lastModified && { 'if-modified-since': earlier.lastModified }),
      };
      const begun = performance.now();
      let isLost = true;
      try {
        const response = await client.fetch(url, {
          headers: { accept: 'image/*', ...conditions },
          timeoutMs: options.timeout,
          maxBytes: options.maxBytes,
          maxRedirects: MAX_REDIRECTS,
          signal,
        });
        const { status } = response;
        const bytes = status === 200 ? await response.bytes() : null;
        isLost = status >= 500 || status === 429;
        if (bytes !== null) return { bytes, validators: validatorsOf(response) };
        response.discard();
        if (status === 304 && Object.keys(conditions).length > 0) return null;
        throw new Error(`answered ${status}`);
      } finally {
        const ms = performance.now() - begun;
        host.spent += ms;
        if (isLost) host.lost += ms;
        host.isFailing = isLost;
      }
    },
    close(): void {
      void all.stop();
      client.close();
    },
  };
}

function validatorsOf({ headers }: OutboundResponse): Validators {
  const read = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' && VALIDATOR.test(value) ? value : null;
  };
  return { etag: read('etag'), lastModified: read('last-modified') };
}
