/** A limit is exceeded, or the response has an unknown encoding. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: 'timeout' | 'too_large' | 'too_many_redirects' | 'unknown_encoding';

  constructor(code: OutboundError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
