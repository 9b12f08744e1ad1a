import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate, type SeriesStore } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
}

/** Returns the rules of `monitoring/alerts.yml`. */
export function readAlertRules(): AlertRule[] {
  const file = join(import.meta.dirname, '..', '..', 'monitoring', 'alerts.yml');
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Reads the metrics of a process. @returns values by series, as written @throws Error if it does not serve them */
export async function readMetrics(port: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(60_000) });
  if (response.status !== 200) throw new Error(await response.text());
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

interface Series {
  labels: Labels;
  values: [at: number, value: number][];
}

/** The longest interval at which every `rate` over five minutes has two values. */
const SCRAPE_INTERVAL_SECONDS = 120;

const minutes = (text: string): number => Number(/^(\d+)m$/.exec(text)?.[1]);

/**
 * Scrapes a process and evaluates the alert rules, as Prometheus does. Its clock starts at the present and advances by two
 * minutes per scrape, so that a rule with `for: 30m` fires after 16 scrapes, however long they take.
 */
export class Prometheus {
  readonly #port: number;
  readonly #rules = readAlertRules();
  readonly #series = new Map<string, Series>();
  /** Times since which a rule has had a result, by rule and labels. */
  #active = new Map<string, number>();
  #now = Math.floor(Date.now() / 1_000);

  constructor(port: number) {
    this.#port = port;
  }

  /** Lets time pass without scrapes. */
  advance(seconds: number): void {
    this.#now += seconds;
  }

  /** Lets the scrape interval pass, then scrapes. @returns the names of firing alerts */
  async scrape(): Promise<string[]> {
    this.#now += SCRAPE_INTERVAL_SECONDS;
    const read = await readMetrics(this.#port).catch(() => new Map<string, number>());
    this.#add('up', { __name__: 'up', job: 'listings', instance: 'test' }, read.size > 0 ? 1 : 0);
    for (const [key, value] of read) this.#add(key, { ...labelsOf(key), job: 'listings', instance: 'test' }, value);
    return this.#evaluate();
  }

  #add(key: string, labels: Labels, value: number): void {
    const series = this.#series.get(key) ?? { labels, values: [] };
    series.values.push([this.#now, value]);
    this.#series.set(key, series);
  }

  #evaluate(): string[] {
    const named = (name: string): Series[] =>
      [...this.#series.values()].filter(({ labels }) => labels.__name__ === name);
    const store: SeriesStore = {
      latest: (name) =>
        named(name).flatMap(({ labels, values }) => {
          const [at, value] = values.at(-1) as [number, number];
          // A series that is missing from a scrape is stale.
          return at === this.#now ? [{ labels, value }] : [];
        }),
      since: (name, from) =>
        named(name).map(({ labels, values }) => ({ labels, values: values.filter(([at]) => at >= from) })),
    };
    const active = new Map<string, number>();
    const firing = new Set<string>();
    for (const { alert, expr, for: duration } of this.#rules)
      for (const { labels } of evaluate(expr, { store, now: this.#now })) {
        const key = `${alert} ${JSON.stringify(labels)}`;
        const since = this.#active.get(key) ?? this.#now;
        active.set(key, since);
        if (this.#now - since >= minutes(duration) * 60) firing.add(alert);
      }
    this.#active = active;
    return [...firing];
  }
}

function labelsOf(key: string): Labels {
  const [, name = '', text = ''] = /^(\w+)(?:\{(.*)\})?$/s.exec(key) ?? [];
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]);
  return { __name__: name, ...Object.fromEntries(pairs) };
}
