import Bottleneck from 'bottleneck';
import { Agent, type Dispatcher, request } from 'undici';
import { checkAddress, isPrivateHost, publicLookup } from '#outbound/address.ts';
import type { PhotoOptions } from './options.ts';

const MAX_REDIRECTS = 3;

export interface Downloader {
  /** The bytes behind an address. @throws AddressError, or Error saying what the host did */
  get(address: string, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

/** Fetches photos from hosts that are not ours: throttled for each host, limited in time and size, to public addresses. */
export function createDownloader(options: PhotoOptions): Downloader {
  const connections = options.concurrencyPerHost;
  const open = new Agent({ connections, connect: { timeout: options.timeout } });
  const guarded = new Agent({ connections, connect: { timeout: options.timeout, lookup: publicLookup } });
  const hosts = new Bottleneck.Group({
    maxConcurrent: options.concurrencyPerHost,
    minTime: options.minTimePerHost,
    timeout: 60_000,
  });

  async function get(address: string, outer: AbortSignal): Promise<Buffer> {
    const first = checkAddress(address, options.privateHosts);
    return hosts.key(first.host).schedule(async () => {
      const signal = AbortSignal.any([outer, AbortSignal.timeout(options.timeout)]);
      let url = first;
      for (let hop = 0; ; hop++) {
        const dispatcher = isPrivateHost(url, options.privateHosts) ? open : guarded;
        const response = await request(url, { dispatcher, signal, headers: { accept: 'image/*' } });
        const location = response.headers.location;
        if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string') {
          await response.body.dump();
          if (hop === MAX_REDIRECTS) throw new Error('too many redirects');
          // Checked as the first address was: a redirect is the host's word, too.
          url = checkAddress(new URL(location, url).href, options.privateHosts);
          continue;
        }
        if (response.statusCode !== 200) {
          await response.body.dump();
          throw new Error(`answered ${response.statusCode}`);
        }
        return await readBody(response.body, Number(response.headers['content-length']), options.maxBytes);
      }
    });
  }

  return {
    get,
    close: async () => {
      await Promise.all([open.close(), guarded.close(), hosts.disconnect()]);
    },
  };
}

/** Reads a body up to a limit, whatever length it states. */
async function readBody(body: Dispatcher.ResponseData['body'], stated: number, maxBytes: number): Promise<Buffer> {
  if (stated > maxBytes) {
    body.destroy();
    throw new Error(`${stated} bytes, more than ${maxBytes}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      body.destroy();
      throw new Error(`more than ${maxBytes} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, size);
}
