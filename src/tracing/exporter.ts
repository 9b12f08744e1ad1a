import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, EndedSpan, SpanKind } from './span.ts';

/** Maximum number of spans that wait for an export. Further spans are dropped. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
const EXPORT_EVERY_MS = 5_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** Milliseconds for which dropped spans are counted in one log line. */
const REPORT_EVERY_MS = 60_000;
/** Maximum milliseconds that a process waits for the last export before it ends. */
const CLOSE_TIMEOUT_MS = 3_000;

export interface ExporterOptions {
  /** Base URL of the receiver, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  logger: { warn(details: object, message: string): void };
  exportEveryMs?: number;
}

/** Sends spans to an OTLP/HTTP receiver, as JSON. Failures drop spans and affect nothing else. */
export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: EndedSpan[] = [];
  #exporting: Promise<void> | null = null;
  #dropped = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #error: unknown = null;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.exportEveryMs ?? EXPORT_EVERY_MS);
    this.#timer.unref();
  }

  record(span: EndedSpan): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(span);
    else this.#dropped++;
    if (this.#waiting.length >= MAX_BATCH) void this.flush();
  }

  /** Exports the waiting spans. Never rejects. */
  flush(): Promise<void> {
    this.#exporting ??= this.#exportAll().finally(() => {
      this.#exporting = null;
    });
    return this.#exporting;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.flush(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#send(batch);
      } catch (error) {
        this.#dropped += batch.length;
        this.#error = error;
        break;
      }
    }
    const now = performance.now();
    if (this.#dropped === 0 || now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#options.logger.warn({ err: this.#error, spans: this.#dropped }, 'spans dropped');
    this.#reportedAt = now;
    this.#dropped = 0;
    this.#error = null;
  }

  async #send(spans: readonly EndedSpan[]): Promise<void> {
    const { endpoint, headers, serviceName } = this.#options;
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(renderSpans(spans, serviceName)),
      redirect: 'error',
      signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the receiver returned status ${response.status}`);
  }
}

/** Kinds and the status of a failed span, as OTLP numbers them. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const FAILED = { code: 2 };

/** Renders spans as an `ExportTraceServiceRequest` of OTLP/JSON. */
function renderSpans(spans: readonly EndedSpan[], serviceName: string): object {
  const rendered = spans.map(({ traceId, spanId, parentSpanId, name, kind, begunMs, endedMs, attributes, failed }) => ({
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(begunMs),
    endTimeUnixNano: nanoseconds(endedMs),
    attributes: renderAttributes(attributes),
    status: failed ? FAILED : {},
  }));
  return {
    resourceSpans: [
      {
        resource: { attributes: renderAttributes({ 'service.name': serviceName }) },
        scopeSpans: [{ scope: { name: 'property-listings-api' }, spans: rendered }],
      },
    ],
  };
}

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const renderAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.round(value)) } }],
  );
