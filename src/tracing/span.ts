import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Undefined values are not recorded. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;
export type SpanKind = 'internal' | 'server' | 'client';

/** A completed span. Times are epoch milliseconds. */
export interface EndedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  begunMs: number;
  endedMs: number;
  attributes: Attributes;
  failed: boolean;
}

/** State shared by the spans of a trace in this process. */
export interface Trace {
  traceId: string;
  /** Id of the request; null for traces of workers. */
  requestId: string | null;
  /** Null if the trace is not recorded. */
  record: ((span: EndedSpan) => void) | null;
  /** Set when the first span of the process ends. Later work, such as writing logs, is not part of the trace. */
  hasEnded: boolean;
}

export interface SpanOptions {
  name: string;
  kind: SpanKind;
  attributes?: Attributes;
}

const nowMs = (): number => performance.timeOrigin + performance.now();

/** An operation of a trace. */
export class Span {
  readonly trace: Trace;
  readonly spanId = randomBytes(8).toString('hex');
  name: string;
  failed = false;
  readonly #parentSpanId: string | null;
  readonly #kind: SpanKind;
  readonly #begunMs = nowMs();
  #attributes: Attributes;

  constructor(trace: Trace, parentSpanId: string | null, { name, kind, attributes = {} }: SpanOptions) {
    this.trace = trace;
    this.name = name;
    this.#parentSpanId = parentSpanId;
    this.#kind = kind;
    this.#attributes = attributes;
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  end(): void {
    const { trace, spanId, name, failed } = this;
    trace.record?.({
      traceId: trace.traceId,
      spanId,
      parentSpanId: this.#parentSpanId,
      name,
      kind: this.#kind,
      begunMs: this.#begunMs,
      endedMs: nowMs(),
      attributes: this.#attributes,
      failed,
    });
  }
}

const storage = new AsyncLocalStorage<Span | undefined>();

/** Returns the span of the current asynchronous context. Undefined if there is none, or if its trace has ended. */
export function activeSpan(): Span | undefined {
  const span = storage.getStore();
  return span?.trace.hasEnded ? undefined : span;
}

/** Runs work in a span, and ends the span when the work ends. */
export async function runSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await storage.run(span, work);
  } catch (error) {
    span.failed = true;
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work in a child of the active span. Without a recorded trace, only runs the work. */
export function inSpan<T>(options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const parent = activeSpan();
  if (parent === undefined || parent.trace.record === null) return work();
  return runSpan(new Span(parent.trace, parent.spanId, options), work);
}
