export interface PhotoOptions {
  /**
   * `fetch` downloads photos. `assume` derives keys from URLs, for photos that are on the CDN. `copy` leaves checks of
   * stored photos to a later run.
   */
  mode: 'fetch' | 'assume' | 'copy';
  bucket: string;
  /** Maximum number of photos fetched concurrently, in total and per host. */
  concurrency: number;
  concurrencyPerHost: number;
  /** Timeout per photo in milliseconds. */
  timeout: number;
  maxBytes: number;
  /** Maximum number of runs that attempt to fetch a photo. */
  maxAttempts: number;
  /** Milliseconds after which the stage leaves the remaining photos to the next run. */
  budget: number;
  /** Hosts, as `host:port`, that may have a private address, such as the sample's photo host. */
  privateHosts: readonly string[];
  /** `User-Agent` of requests for photos. */
  userAgent?: string;
}

export const PHOTO_DEFAULTS: Omit<PhotoOptions, 'bucket'> = {
  mode: 'fetch',
  concurrency: 16,
  concurrencyPerHost: 8,
  timeout: 10_000,
  maxBytes: 15 * 1024 * 1024,
  maxAttempts: 5,
  budget: 60 * 60 * 1000,
  privateHosts: [],
};
