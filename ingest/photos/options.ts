export interface PhotoOptions {
  /**
   * `fetch`: photos are fetched from their sources. `assume`: nothing is fetched and a photo's key is made from its
   * address, for feeds whose photos lie on the CDN already under such keys, and for measuring the rest of a run.
   */
  mode: 'fetch' | 'assume';
  /** The CDN bucket. */
  bucket: string;
  /** Photos in the air at once, altogether and from one host. */
  concurrency: number;
  concurrencyPerHost: number;
  /** Least milliseconds between two requests to one host. */
  minTimePerHost: number;
  /** Milliseconds until one photo is given up. */
  timeout: number;
  maxBytes: number;
  /** Runs in which a photo is tried before it is given up for good. */
  maxAttempts: number;
  /** Milliseconds after which the stage leaves the rest to the next run. */
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
