import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of durations in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A request after its response. */
export interface MeasuredRequest {
  /** Method and path template, such as `GET /v1/listings/{id}`; `other` for requests without an operation. */
  route: string;
  status: number;
  /** Plan of the organization; `none` without a valid key. */
  plan: string;
  seconds: number;
  /** Units charged after refunds. */
  units: number;
}

/** A value with its labels, read at a scrape. */
export type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

/** A metric that is read at each scrape. */
export interface ReadMetric {
  /** Without the prefix `listings_`. A name that ends with `_total` is a counter, any other a gauge. */
  name: string;
  help: string;
  labels?: readonly string[];
  read(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** The metrics of a process, in the text format of Prometheus. All names of the service start with `listings_`. */
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

  /** Records the wait of a request in a queue. */
  observeWait(queue: string, seconds: number): void {
    this.#waits.observe({ queue }, seconds);
  }

  /** Counts a request. */
  observe({ route, status, plan, seconds, units }: MeasuredRequest): void {
    this.#duration.observe({ route, status: `${Math.floor(status / 100)}xx`, plan }, seconds);
    if (units > 0) this.#units.inc({ plan }, units);
  }

  /** Adds metrics that are read at each scrape. A failed read leaves its metric empty, so that the others are still served. */
  add(metrics: readonly ReadMetric[]): void {
    for (const { name, help, labels = [], read } of metrics) {
      const options = { name: `listings_${name}`, help, labelNames: [...labels], registers: [this.registry] };
      const metric = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
      // The library calls it before it renders the metric.
      Object.assign(metric, {
        collect: async () => {
          const samples = await Promise.resolve(read()).catch(() => []);
          metric.reset();
          // A metric without labels would otherwise be 0.
          if (labels.length === 0) metric.remove();
          for (const [value, sampleLabels = {}] of samples) metric.inc(sampleLabels, value);
        },
      });
    }
  }
}
