import Bottleneck from 'bottleneck';
import { checkAddress } from '#stores/outbound/address.ts';
import { createOutboundClient, type OutboundResponse } from '#stores/outbound/client.ts';
import type { PhotoOptions } from '../run/photo-options.ts';

const MAX_REDIRECTS = 3;
/** Other validators are too long, or invalid in a header. */
const VALIDATOR = /^[\x20-\x7e]{1,200}$/;

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface Fetched {
  bytes: Buffer;
  validators: Validators;
}

export type Downloader = ReturnType<typeof createDownloader>;

export function createDownloader(options: PhotoOptions) {
  const client = createOutboundClient({
    connections: options.concurrencyPerHost,
    privateHosts: options.privateHosts,
  });
  const hosts = new Bottleneck.Group({
    maxConcurrent: options.concurrencyPerHost,
    timeout: 60_000,
  });

  return {
    /**
     * Fetches the bytes at a URL.
     * @param earlier validators of an earlier response, which make the request conditional
     * @returns null if the bytes are those of the earlier response
     * @throws AddressError, or Error with the host's failure
     */
    get: async (address: string, signal: AbortSignal, earlier?: Validators): Promise<Fetched | null> => {
      const url = checkAddress(address, options);
      const conditions = {
        ...(earlier?.etag && { 'if-none-match': earlier.etag }),
        ...(earlier?.lastModified && { 'if-modified-since': earlier.lastModified }),
      };
      return hosts.key(url.host).schedule(async () => {
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
    },
    close: async (): Promise<void> => {
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
