import { addTo } from '#domain/multimap.ts';
import type { Clause } from '../clause.ts';

/**
 * Exact statistics from all values of a cohort. Digests and histograms of the engine are approximate, have a large fixed
 * size, and are read once per percentile.
 */

type Aggregations = Readonly<Record<string, Clause>>;
type Body = Readonly<Record<string, unknown>>;

/** Maximum number of listings, or of intervals of their history, to read values of. Above it, statistics are approximate. */
export const MAX_LISTINGS_BY_VALUE = 20_000;

const COLLECTED = 'collected';

const METRICS: Readonly<Record<string, (ascending: Float64Array) => unknown>> = {
  percentiles: (ascending) => ({ ascending }),
  avg: (ascending) => ({ value: meanOf(ascending) }),
  stats: (ascending) => ({
    count: ascending.length,
    min: ascending[0] ?? null,
    max: ascending.at(-1) ?? null,
    avg: meanOf(ascending),
  }),
};

/** Requests the values that `body` would aggregate. Null without statistics of values. */
export function valuesBody(body: Body): Record<string, unknown> | null {
  const { aggs = {} } = body as { aggs?: Aggregations };
  if (!hasMetrics(aggs)) return null;
  return { ...body, aggs: collectValues(aggs), terminate_after: MAX_LISTINGS_BY_VALUE + 1 };
}

/** Neighborhoods and projects mostly have few listings, so that counting them first would take longer. */
export function isMostlySmall({ query }: Body): boolean {
  const { filter } = (query as { bool: { filter: readonly { term?: object; terms?: object }[] } }).bool;
  return filter.some(({ term, terms }) => {
    const fields = { ...term, ...terms };
    return 'filter.neighborhood_id' in fields || 'filter.project_id' in fields;
  });
}

export const sizeBody = ({ query }: Body): Record<string, unknown> => ({ size: 0, track_total_hits: true, query });

/** Aggregates the response to `valuesBody`. Null if there were too many listings. */
export function aggregateValues(body: Body, answer: ValuesResponse): Body | null {
  if (answer.terminated_early) return null;
  return { ...answer, aggregations: computeAggregations(body.aggs as Aggregations, answer.aggregations) };
}

export interface ValuesResponse extends Body {
  terminated_early?: boolean;
  aggregations: Body;
}

/** A document field, with its type in engine scripts. */
export interface Column {
  field: string;
  type: 'Doubles' | 'Longs';
}

/**
 * Requests the values of columns, with null for a missing value. Types are explicit: dynamically bound calls take longer
 * than the called functions.
 */
export function columnsClause(columns: readonly Column[]): Clause {
  const each = (line: (column: Column, at: number) => string): string => columns.map(line).join('\n');
  return {
    scripted_metric: {
      init_script: 'state.columns = new ArrayList();',
      map_script: [
        `ArrayList columns = (ArrayList) state.columns;`,
        `while (columns.size() < ${columns.length}) { columns.add(new ArrayList()); }`,
        each(
          ({ field, type }, at) =>
            `ScriptDocValues.${type} value${at} = (ScriptDocValues.${type}) doc['${field}'];\n` +
            `if (value${at}.size() > 0) { ((ArrayList) columns.get(${at})).add(value${at}.get(0)); } else { ((ArrayList) columns.get(${at})).add(null); }`,
        ),
      ].join('\n'),
      combine_script: 'return state.columns;',
      reduce_script: 'return states;',
    },
  };
}

/** One list per shard. */
export interface ColumnsResult {
  value: readonly (readonly Values[] | null)[] | null;
}

type Values = readonly (number | null)[];

export function columnsOf({ value }: ColumnsResult, count: number): Values[] {
  const shards = (value ?? []).filter((shard) => shard !== null);
  // `flatMap` takes ten times as long.
  return Array.from({ length: count }, (_, at) =>
    ([] as (number | null)[]).concat(...shards.map((shard) => shard[at] ?? [])),
  );
}

/** The values that are not null of each column. */
export const ascendingColumns = (result: ColumnsResult, count: number): Float64Array[] =>
  columnsOf(result, count).map(ascending);

const ascending = (values: Values): Float64Array => Float64Array.from(values.filter((value) => value !== null)).sort();

function metricOf(aggregation: Clause) {
  const [name = '', parameters] = Object.entries(aggregation)[0] ?? [];
  const work = METRICS[name];
  return work ? { work, field: (parameters as { field: string }).field } : null;
}

const bucketsOf = (aggregation: Clause): Aggregations => (aggregation as { aggs?: Aggregations }).aggs ?? {};

const hasMetrics = (aggregations: Aggregations): boolean =>
  Object.values(aggregations).some((each) => metricOf(each) !== null || hasMetrics(bucketsOf(each)));

const fieldsOf = (aggregations: Aggregations): string[] => [
  ...new Set(Object.values(aggregations).flatMap((aggregation) => metricOf(aggregation)?.field ?? [])),
];

/** A histogram of `BASIS.months`, the months of a listing. Their first and last one are also columns. */
function monthsIn(aggregation: Clause): { basis: string; min: number; max: number } | null {
  const { histogram } = aggregation as { histogram?: { field: string; hard_bounds?: { min: number; max: number } } };
  return histogram?.hard_bounds ? { basis: histogram.field.replace(/\.months$/, ''), ...histogram.hard_bounds } : null;
}

function collectValues(aggregations: Aggregations): Record<string, Clause> {
  const asked: Record<string, Clause> = {};
  for (const [name, aggregation] of Object.entries(aggregations)) {
    if (metricOf(aggregation) !== null) continue;
    const inner = bucketsOf(aggregation);
    const months = monthsIn(aggregation);
    if (months) asked[name] = columnsClause([...monthColumns(months.basis), ...valueColumns(inner)]);
    else asked[name] = hasMetrics(inner) ? { ...aggregation, aggs: collectValues(inner) } : aggregation;
  }
  const columns = valueColumns(aggregations);
  if (columns.length > 0) asked[COLLECTED] = columnsClause(columns);
  return asked;
}

const monthColumns = (basis: string): Column[] =>
  ['first_month', 'last_month'].map((name) => ({ field: `${basis}.${name}`, type: 'Longs' }));

const valueColumns = (aggregations: Aggregations): Column[] =>
  fieldsOf(aggregations).map((field) => ({ field, type: 'Doubles' }));

function computeAggregations(aggregations: Aggregations, answer: Body): Record<string, unknown> {
  const { [COLLECTED]: collected, ...found } = answer as { [COLLECTED]?: ColumnsResult } & Record<string, unknown>;
  for (const [name, aggregation] of Object.entries(aggregations)) {
    const inner = bucketsOf(aggregation);
    const months = monthsIn(aggregation);
    if (months) found[name] = { buckets: computeMonths(found[name] as ColumnsResult, months, inner) };
    else if (hasMetrics(inner))
      found[name] = inBuckets(found[name] as Buckets, (bucket) => computeAggregations(inner, bucket));
  }
  const columns = columnsOf(collected ?? { value: null }, fieldsOf(aggregations).length);
  return { ...found, ...computeMetrics(aggregations, columns) };
}

/** @param columns values of `fieldsOf` */
function computeMetrics(aggregations: Aggregations, columns: readonly Values[]): Record<string, unknown> {
  const values = new Map(fieldsOf(aggregations).map((field, at) => [field, ascending(columns[at] ?? [])]));
  return Object.fromEntries(
    Object.entries(aggregations).flatMap(([name, aggregation]) => {
      const metric = metricOf(aggregation);
      return metric ? [[name, metric.work(values.get(metric.field) as Float64Array)]] : [];
    }),
  );
}

/** Each listing is read once, for all of its months. */
function computeMonths(
  collected: ColumnsResult,
  { min, max }: { min: number; max: number },
  aggregations: Aggregations,
): Body[] {
  const [first = [], last = [], ...columns] = columnsOf(collected, 2 + fieldsOf(aggregations).length);
  const months = new Map<number, number[]>();
  for (const [row, from] of first.entries())
    for (let key = Math.max(Number(from), min); key <= Math.min(Number(last[row]), max); key++) addTo(months, key, row);
  return [...months].map(([key, rows]) => ({
    key,
    doc_count: rows.length,
    ...computeMetrics(
      aggregations,
      columns.map((values) => rows.map((row) => values[row] ?? null)),
    ),
  }));
}

type Buckets = Body & { buckets?: readonly Body[] };

/** Changes each bucket, or the aggregation itself if it is a bucket. */
function inBuckets(found: Buckets, change: (bucket: Body) => Body): Body {
  return found.buckets === undefined ? change(found) : { ...found, buckets: found.buckets.map(change) };
}

/** Summed in ascending order, so that equal samples have equal means. */
const meanOf = (ascending: Float64Array): number | null =>
  ascending.length === 0 ? null : ascending.reduce((sum, value) => sum + value, 0) / ascending.length;
