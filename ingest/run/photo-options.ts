export interface PhotoOptions {
  /**
   * `fetch`: photos are fetched from their sources. `assume`: nothing is fetched, and the key of a photo is derived from its
   * address. For feeds whose photos are already on the CDN under these keys, and for benchmarks of the rest of a run.
   */
  mode: 'fetch' | 'assume';
  /** The CDN bucket. */
  bucket: string;
  /** Photos fetched at once, in total and from one host. */
  concurrency: number;
  concurrencyPerHost: number;
  /** Minimum milliseconds between two requests to one host. */
  minTimePerHost: number;
  /** Timeout of one photo in milliseconds. */
  timeout: number;
  maxBytes: number;
  /** Runs in which a photo is tried, at most. */
  maxAttempts: number;
  /** Milliseconds after which the stage leaves the remaining photos to the next run. */
  budget: number;
  /** `host:port` that may lie on a private address, such as the sample's photo host. */
  privateHosts: readonly string[];
}

export const PHOTO_DEFAULTS: Omit<PhotoOptions, 'bucket'> = {
  mode: 'fetch',
  concurrency: 16,
  concurrencyPerHost: 8,
  minTimePerHost: 0,
  timeout: 10_000,
  maxBytes: 15 * 1024 * 1024,
  maxAttempts: 5,
  budget: 60 * 60 * 1000,
  privateHosts: [],
};
