/** An outbound request that reached one of its limits, or returned an unknown encoding. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: 'timeout' | 'too_large' | 'too_many_redirects' | 'unknown_encoding';

  constructor(code: OutboundError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
