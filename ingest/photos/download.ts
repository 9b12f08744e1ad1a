import Bottleneck from 'bottleneck';
import { checkAddress } from '#outbound/address.ts';
import { createOutboundClient } from '#outbound/client.ts';
import type { PhotoOptions } from './options.ts';

const MAX_REDIRECTS = 3;

export interface Downloader {
  /** The bytes behind an address. @throws AddressError, or Error saying what the host did */
  get(address: string, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

/** Fetches photos from hosts that are not ours, throttled for each host. */
export function createDownloader(options: PhotoOptions): Downloader {
  const client = createOutboundClient({
    connections: options.concurrencyPerHost,
    privateHosts: options.privateHosts,
  });
  const hosts = new Bottleneck.Group({
    maxConcurrent: options.concurrencyPerHost,
    minTime: options.minTimePerHost,
    timeout: 60_000,
  });

  async function download(url: URL, signal: AbortSignal): Promise<Buffer> {
    const response = await client.fetch(url, {
      headers: { accept: 'image/*' },
      timeoutMs: options.timeout,
      maxBytes: options.maxBytes,
      maxRedirects: MAX_REDIRECTS,
      signal,
    });
    if (response.status === 200) return response.bytes();
    response.discard();
    throw new Error(`answered ${response.status}`);
  }

  return {
    get: async (address, signal) => {
      const url = checkAddress(address, options);
      return hosts.key(url.host).schedule(() => download(url, signal));
    },
    close: async () => {
      client.close();
      await hosts.disconnect();
    },
  };
}
