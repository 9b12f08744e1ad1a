import Bottleneck from 'bottleneck';
import { checkAddress } from '#outbound/address.ts';
import { createOutboundClient, type OutboundResponse } from '#outbound/client.ts';
import type { PhotoOptions } from '../run/photo-options.ts';

const MAX_REDIRECTS = 3;
/** Pattern for accepted validators. Others are dropped, because they are too long or invalid in a header. */
const VALIDATOR = /^[\x20-\x7e]{1,200}$/;

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface Fetched {
  bytes: Buffer;
  validators: Validators;
}

/** The host confirmed that the bytes equal those of the earlier response. */
interface NotModified {
  bytes: null;
  validators: Validators;
}

export interface Downloader {
  // Fetches the bytes at a URL. @throws AddressError, or Error with the host's failure
  get(address: string, signal: AbortSignal): Promise<Fetched>;
  /** Sends a conditional request with the validators from an earlier response. @throws as `get` does */
  getIfModified(address: string, signal: AbortSignal, earlier: Validators): Promise<Fetched | NotModified>;
  close(): Promise<void>;
}

export function createDownloader(options: PhotoOptions): Downloader {
  const client = createOutboundClient({
    connections: options.concurrencyPerHost,
    privateHosts: options.privateHosts,
  });
  const hosts = new Bottleneck.Group({
    maxConcurrent: options.concurrencyPerHost,
    timeout: 60_000,
  });

  async function request(address: string, signal: AbortSignal, conditions: Record<string, string>) {
    const url = checkAddress(address, options);
    return hosts.key(url.host).schedule(async (): Promise<Fetched | null> => {
      const response = await client.fetch(url, {
        headers: { accept: 'image/*', ...conditions },
        timeoutMs: options.timeout,
        maxBytes: options.maxBytes,
        maxRedirects: MAX_REDIRECTS,
        signal,
      });
      if (response.status === 200) return { bytes: await response.bytes(), validators: validatorsOf(response) };
      response.discard();
      if (response.status === 304 && Object.keys(conditions).length > 0) return null;
      throw new Error(`answered ${response.status}`);
    });
  }

  return {
    get: async (address, signal) => (await request(address, signal, {})) as Fetched,
    getIfModified: async (address, signal, earlier) => {
      const { etag, lastModified } = earlier;
      const conditions = {
        ...(etag === null ? {} : { 'if-none-match': etag }),
        ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
      };
      return (await request(address, signal, conditions)) ?? { bytes: null, validators: earlier };
    },
    close: async () => {
      client.close();
      await hosts.disconnect();
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
