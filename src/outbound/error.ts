/** A call to an outside address that ended at one of its limits. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: 'timeout' | 'too_large' | 'too_many_redirects' | 'unknown_encoding';

  constructor(code: OutboundError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
