import { randomBytes } from 'node:crypto';
import { activeSpan, type EndedSpan, runSpan, Span, type SpanOptions, type Trace } from './span.ts';

/** The trace of a caller. */
export interface RemoteParent {
  traceId: string;
  spanId: string;
}

/** Later versions may append fields, version ff is invalid, and zero ids are invalid (W3C Trace Context). */
const FORMAT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Reads a `traceparent` header. @returns null if it is missing or invalid */
export function parseTraceparent(header: string): RemoteParent | null {
  const [, version, traceId, spanId, rest] = FORMAT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return null;
  return { traceId, spanId };
}

/** Returns the `traceparent` header of a recorded span. */
export const formatTraceparent = ({ traceId, spanId }: RemoteParent): string => `00-${traceId}-${spanId}-01`;

export interface RootOptions extends SpanOptions {
  /** The `traceparent` header of the caller, if any. */
  traceparent?: string;
  requestId?: string;
}

/** Creates the traces of a process, and samples those to record. */
export class Tracer {
  readonly #ratio: number;
  readonly #record: (span: EndedSpan) => void;

  /** @param ratio sampling ratio, 0 to 1 */
  constructor(ratio: number, record: (span: EndedSpan) => void) {
    this.#ratio = ratio;
    this.#record = record;
  }

  /**
   * Runs work in the first span of this process in a trace: the trace of the caller, or a new one. A request that the
   * process sends to itself continues the current trace.
   */
  async trace<T>(options: RootOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const active = activeSpan();
    if (active) {
      const nested = new Span(active.trace, active.spanId, options);
      return runSpan(nested, () => work(nested));
    }
    const remote = parseTraceparent(options.traceparent ?? '');
    const traceId = remote?.traceId ?? randomBytes(16).toString('hex');
    const record = this.#isSampled(traceId) ? this.#record : null;
    const trace: Trace = { traceId, requestId: options.requestId ?? null, record, hasEnded: false };
    const span = new Span(trace, remote?.spanId ?? null, options);
    try {
      return await runSpan(span, () => work(span));
    } finally {
      trace.hasEnded = true;
    }
  }

  /**
   * Decides by the random bits of the trace id, so that services with the same ratio record the same traces. Ignores
   * the flag of the caller, so that clients cannot have all of their requests recorded.
   */
  #isSampled(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-13), 16) < this.#ratio * 2 ** 52;
  }
}
