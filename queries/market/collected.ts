import type { PercentilesResult } from '#domain/statistics/quantiles.ts';
import type { Clause } from '../clause.ts';

/**
 * Statistics of few listings, out of their values. The engine's histograms and digests are large from the start and read
 * once for each percent, which takes longer than a few hundred prices do; so the engine is asked for the values of each
 * bucket instead, and what it would have made of them is worked out here, exactly.
 */

type Aggregations = Readonly<Record<string, Clause>>;

/** What stands in the place of the metrics of one level. */
const COLLECTED = 'collected';

/** The metrics of an answer, by their names in a request; each is of a field of numbers. */
const METRICS: Readonly<Record<string, (ascending: Float64Array, parameters: Clause) => unknown>> = {
  percentiles: (ascending, { percents }): PercentilesResult => ({
    exact: true,
    values: (percents as readonly number[]).map((key) => ({ key, value: atPercent(ascending, key) })),
  }),
  stats: (ascending) => ({
    count: ascending.length,
    min: ascending.at(0) ?? null,
    max: ascending.at(-1) ?? null,
    avg: mean(ascending),
  }),
  avg: (ascending) => ({ value: mean(ascending) }),
};

interface Metric {
  name: string;
  parameters: Clause;
  field: string;
}

function metricOf(aggregation: Clause): Metric | null {
  const [name, parameters] = Object.entries(aggregation)[0] as [string, Clause];
  return name in METRICS ? { name, parameters, field: parameters.field as string } : null;
}

/** The same aggregations with the values of each bucket in the place of its metrics. */
export function collectValues(aggregations: Aggregations): Record<string, Clause> {
  const asked: Record<string, Clause> = {};
  for (const [name, aggregation] of Object.entries(aggregations)) {
    if (metricOf(aggregation) !== null) continue;
    const { aggs } = aggregation as { aggs?: Aggregations };
    asked[name] = aggs === undefined ? aggregation : { ...aggregation, aggs: collectValues(aggs) };
  }
  const fields = fieldsOf(aggregations);
  return fields.length === 0 ? asked : { ...asked, [COLLECTED]: valuesOf(fields) };
}

/** The answer to the aggregations, out of the answer to `collectValues` of them. */
export function workOut(
  aggregations: Aggregations,
  answer: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { [COLLECTED]: collected, ...rest } = answer as { [COLLECTED]?: Collected };
  const found: Record<string, unknown> = rest;
  const fields = fieldsOf(aggregations);
  const values = new Map(fields.map((field, at) => [field, ascendingOf(collected, at)]));
  for (const [name, aggregation] of Object.entries(aggregations)) {
    const metric = metricOf(aggregation);
    const { aggs } = aggregation as { aggs?: Aggregations };
    if (metric) found[name] = METRICS[metric.name]?.(values.get(metric.field) as Float64Array, metric.parameters);
    else if (aggs !== undefined) found[name] = inBuckets(found[name] as Buckets, (bucket) => workOut(aggs, bucket));
  }
  return found;
}

type Bucket = Readonly<Record<string, unknown>>;
type Buckets = Bucket & { buckets?: readonly Bucket[] };

/** An aggregation of buckets, or one that is a bucket itself. */
function inBuckets(found: Buckets, change: (bucket: Bucket) => Bucket): Bucket {
  return found.buckets === undefined ? change(found) : { ...found, buckets: found.buckets.map(change) };
}

const fieldsOf = (aggregations: Aggregations): string[] => [
  ...new Set(Object.values(aggregations).flatMap((aggregation) => metricOf(aggregation)?.field ?? [])),
];

/** The values of each field, of each shard. */
interface Collected {
  value: readonly (readonly (readonly number[])[] | null)[] | null;
}

/** Types are written out, as calls that are bound while the script runs take longer than what they call. */
function valuesOf(fields: readonly string[]): Clause {
  const each = (line: (field: string, at: number) => string): string => fields.map(line).join('\n');
  return {
    scripted_metric: {
      init_script: each((_, at) => `state.values${at} = new ArrayList();`),
      map_script: each(
        (field, at) =>
          `ScriptDocValues.Doubles field${at} = (ScriptDocValues.Doubles) doc['${field}'];\n` +
          `if (field${at}.size() > 0) { ((ArrayList) state.values${at}).add(field${at}.get(0)); }`,
      ),
      combine_script: `return [${fields.map((_, at) => `state.values${at}`).join(', ')}];`,
      reduce_script: 'return states;',
    },
  };
}

const ascendingOf = (collected: Collected | undefined, at: number): Float64Array =>
  Float64Array.from((collected?.value ?? []).flatMap((shard) => shard?.[at] ?? [])).sort();

/** The value at the nearest rank, as the engine has it. */
function atPercent(ascending: Float64Array, percent: number): number | null {
  const rank = Math.ceil((percent / 100) * ascending.length);
  return ascending[Math.max(rank, 1) - 1] ?? null;
}

const mean = (values: Float64Array): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
