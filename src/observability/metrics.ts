import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of buckets in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measurements of a completed request. */
export interface MeasuredRequest {
  /** Method and path template, for example `GET /v1/listings/{id}`; `other` if no operation matches the request. */
  route: string;
  status: number;
  /** Plan of the organization; `none` if the key is missing or invalid. */
  plan: string;
  seconds: number;
  /** Number of units charged, minus refunds. */
  units: number;
}

/** A value, and a label value for each label. */
export type Sample = readonly [value: number, ...labels: string[]];

/** All names start with `listings_`. */
export class Metrics {
  readonly registry = new Registry();
  readonly #duration = new Histogram({
    name: 'listings_http_request_duration_seconds',
    help: 'Duration of requests in seconds, by route, status class and plan.',
    labelNames: ['route', 'status', 'plan'],
    buckets: DURATIONS,
    registers: [this.registry],
  });
  readonly #units = new Counter({
    name: 'listings_units_charged_total',
    help: 'Units charged for requests that succeeded.',
    labelNames: ['plan'],
    registers: [this.registry],
  });
  readonly #waits = new Histogram({
    name: 'listings_queue_wait_seconds',
    help: 'Time that requests waited for their charge, or for a turn at the search engine, in seconds.',
    labelNames: ['queue'],
    buckets: DURATIONS,
    registers: [this.registry],
  });

  observeWait(queue: string, seconds: number): void {
    this.#waits.observe({ queue }, seconds);
  }

  observe({ route, status, plan, seconds, units }: MeasuredRequest): void {
    this.#duration.observe({ route, status: `${Math.floor(status / 100)}xx`, plan }, seconds);
    if (units > 0) this.#units.inc({ plan }, units);
  }

  /**
   * Adds a metric that is read at each scrape, and omitted if `read` fails.
   * @param name without the prefix `listings_`. Metrics whose names end with `_total` are counters, all others are gauges
   */
  add(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void {
    const options = { name: `listings_${name}`, help, labelNames: [...labelNames], registers: [this.registry] };
    const metric = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
    // prom-client calls `collect` before it renders the metric.
    Object.assign(metric, {
      collect: async () => {
        const samples = await Promise.resolve()
          .then(read)
          .catch(() => []);
        metric.reset();
        // It would be reported as 0 when no value can be read.
        if (labelNames.length === 0) metric.remove();
        for (const [value, ...labels] of samples)
          metric.inc(Object.fromEntries(labelNames.map((label, at) => [label, labels[at] ?? ''])), value);
      },
    });
  }
}
