import { setTimeout as sleep } from 'node:timers/promises';
import { request as send } from 'undici';
import type { JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint, Parameter } from '#src/http/endpoint.ts';
import { type ApiProcess, startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { type Corpus, searchListings } from '../corpus.ts';
import { processorMs } from '../machine.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { type CorpusValues, extremesOf } from '../requests/extremes.ts';

type Values = Readonly<Record<string, string>>;

interface Cost {
  values: Values;
  engineMs: number;
  nodeMs: number;
}

/** Measured again after the search, each five times. */
const FINALISTS = 2;
const RUNS = 5;
/** A change of fewer milliseconds is noise. */
const NOISE_MS = 10;
/** Below it, one request is measured again. */
const LOW_MS = 50;
/** OpenSearch reads its processor time once a second. */
const STATS_MS = 1_100;
const MAX_PAGES = 120;
/** A filter that excludes nothing makes a request that no cache has. */
const HARMLESS: readonly (readonly [name: string, most: number])[] = [
  ['price_max', 1e12],
  ['area_max', 1e12],
  ['beds_max', 999],
  ['max_age', 999],
];

/**
 * Searches the most expensive valid request of each operation that reads the engine: first all pairs of required
 * values, then value by value of each parameter while the processor time grows.
 */
export async function cost(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await using api = await startApi(corpus);
  const meter = await openMeter(corpus, api);
  const known = await readKnown(corpus);
  const measured = endpoints.filter(({ method, audience }) => method === 'GET' && audience === 'data');
  const bar = bench.screen.progress('Operations', measured.length);
  const figures: Figure[] = [];
  for (const [at, endpoint] of measured.entries()) {
    bench.signal.throwIfAborted();
    const found = await findMostExpensive(endpoint, known, meter, bench.quick);
    if (found) {
      bench.screen.say(`  ${endpoint.operationId}: ${found.engineMs} ms of the engine, ${found.nodeMs} of Node`);
      const request = pathOf(endpoint, found.values);
      figures.push({ ...figure(`${endpoint.operationId}: engine`, found.engineMs, 'ms'), request });
      figures.push({ ...figure(`${endpoint.operationId}: Node`, found.nodeMs, 'ms'), request });
    }
    bar.update(at + 1, endpoint.operationId);
  }
  bar.end();
  const [worst] = figures.filter(({ name }) => name.endsWith('engine')).sort((a, b) => b.value - a.value);
  const total = figure('most expensive call: engine', worst?.value ?? 0, 'ms');
  return {
    figures: [total, ...figures],
    notes: [
      `The most expensive call: ${worst?.request?.slice(0, 300)}`,
      `Medians of ${RUNS} calls, one at a time, after caches were cleared. --json prints the requests.`,
    ],
  };
}

async function findMostExpensive(
  endpoint: Endpoint,
  known: CorpusValues,
  meter: Meter,
  quick: boolean,
): Promise<Cost | undefined> {
  const parameters = [...endpoint.pathParameters, ...endpoint.parameters];
  const candidates = new Map(parameters.map((each) => [each.name, extremesOf(each, known)]));
  const inPath = new Set(endpoint.pathParameters.map(({ name }) => name));
  const required = parameters.filter((each) => each.required || each.sampled || inPath.has(each.name));
  const all: Cost[] = [];
  let highest = 0;
  const measure = async (values: Values): Promise<Cost | undefined> => {
    let found = await meter.estimate(endpoint, values);
    if (!found) return undefined;
    // Other work of the engine inflates single calls: the lower of two counts.
    if (totalOf(found) > highest)
      found = [found, (await meter.estimate(endpoint, values)) ?? found].sort(byCost)[1] as Cost;
    highest = Math.max(highest, totalOf(found));
    all.push(found);
    return found;
  };
  let starts: Values[] = [{}];
  for (const { name } of required)
    starts = starts.flatMap((values) => (candidates.get(name) ?? []).map((each) => ({ ...values, [name]: each })));
  for (const values of starts.slice(0, quick ? 2 : 150)) await measure(values);
  const [first] = all.toSorted(byCost);
  if (!first) return undefined;
  let best: Cost = first;
  const free = quick ? [] : parameters.filter(({ name }) => name !== 'cursor' && !inPath.has(name));
  // Each of the widest filters matches nearly every listing, and together they are many clauses.
  const wide = free.filter(isWideFilter).map(({ name }) => [name, candidates.get(name)?.[0] ?? '']);
  const widest = wide.length > 0 && (await measure({ ...first.values, ...Object.fromEntries(wide) }));
  if (widest && totalOf(widest) > totalOf(best) + NOISE_MS) best = widest;
  const others = free.filter((each) => !isWideFilter(each));
  for (const { name, schema } of others) {
    const { values } = best;
    const tried: { text: string; total: number }[] = [];
    const attempt = async (text: string): Promise<void> => {
      const found = await measure({ ...values, [name]: text, ...(name === 'radius_m' && { near: near(known) }) });
      if (!found) return;
      tried.push({ text, total: totalOf(found) });
      if (totalOf(found) > totalOf(best) + NOISE_MS) best = found;
    };
    for (const text of candidates.get(name) ?? []) await attempt(text);
    if (schema.type !== 'array' || !(schema.items as JsonSchema)?.enum) continue;
    // Of listed values, also the most expensive ones together.
    const single = tried.filter(({ text }) => !text.includes(',')).sort((a, b) => b.total - a.total);
    await attempt(
      single
        .slice(0, Number(schema.maxItems ?? 100))
        .map(({ text }) => text)
        .join(),
    );
  }
  if (endpoint.paged) {
    const cursor = await meter.deepestCursor(endpoint, best.values);
    if (cursor) await measure({ ...best.values, cursor });
  }
  const finals: Cost[] = [];
  for (const { values } of all.toSorted(byCost).slice(0, quick || totalOf(best) < LOW_MS ? 1 : FINALISTS))
    finals.push(await meter.measure(endpoint, values));
  return finals.toSorted((a, b) => b.engineMs - a.engineMs)[0];
}

const isWideFilter = ({ name, required }: Parameter): boolean => !required && /_(min|max|exclude)$/.test(name);

const totalOf = ({ engineMs, nodeMs }: Cost): number => engineMs + nodeMs;
const byCost = (a: Cost, b: Cost): number => totalOf(b) - totalOf(a);
const near = ({ point }: CorpusValues): string => `${point.lat},${point.lng}`;

type Meter = Awaited<ReturnType<typeof openMeter>>;

async function openMeter(corpus: Corpus, api: ApiProcess) {
  const { client } = corpus;
  const stats = async () => {
    const { nodes } = await client.send<{ nodes: Record<string, { process: { cpu: { total_in_millis: number } } }> }>(
      'GET',
      '/_nodes/stats/process',
    );
    return Object.values(nodes).reduce((sum, { process: { cpu } }) => sum + cpu.total_in_millis, 0);
  };
  const { nodes } = await client.send<{ nodes: Record<string, { process: { id: number } }> }>('GET', '/_nodes/process');
  const pids = Object.values(nodes).map(({ process: { id } }) => id);
  const ticks = async () => (await Promise.all(pids.map(processorMs))).reduce((sum, each) => sum + each, 0);
  let calls = 0;
  /** @returns the body of a successful response, otherwise null */
  const call = async (
    endpoint: Endpoint,
    values: Values,
  ): Promise<{ pagination?: { next_cursor?: string } } | null> => {
    const isHarmless = ([name, most]: (typeof HARMLESS)[number]): boolean =>
      (values[name] ?? String(most)) === String(most) && endpoint.parameters.some((each) => each.name === name);
    const [name, most] = ('cursor' in values ? undefined : HARMLESS.find(isHarmless)) ?? ['', 0];
    const varied = name === '' ? values : { ...values, [name]: String(most - (calls++ % 900)) };
    const headers = { authorization: `Bearer ${api.key}` };
    const { statusCode, body } = await send(api.origin + pathOf(endpoint, varied), { headers });
    const text = await body.text();
    return statusCode === 200 ? (JSON.parse(text) as { pagination?: { next_cursor?: string } }) : null;
  };
  const clear = () => client.send('POST', `/${client.prefix}*/_cache/clear`);
  const around = async (
    endpoint: Endpoint,
    values: Values,
    engine: () => Promise<number>,
  ): Promise<Cost | undefined> => {
    await clear();
    const [engineBefore, nodeBefore] = [await engine(), await processorMs(api.pid)];
    if (!(await call(endpoint, values))) return undefined;
    const nodeMs = (await processorMs(api.pid)) - nodeBefore;
    return { values, engineMs: (await engine()) - engineBefore, nodeMs };
  };
  return {
    estimate: (endpoint: Endpoint, values: Values) => around(endpoint, values, ticks),
    async measure(endpoint: Endpoint, values: Values): Promise<Cost> {
      const runs: Cost[] = [];
      const settled = () => sleep(STATS_MS).then(stats);
      for (let run = 0; run < RUNS; run++) runs.push((await around(endpoint, values, settled)) as Cost);
      const median = (of: 'engineMs' | 'nodeMs'): number =>
        runs.map((run) => run[of]).sort((a, b) => a - b)[RUNS >> 1] as number;
      return { values, engineMs: median('engineMs'), nodeMs: median('nodeMs') };
    },
    async deepestCursor(endpoint: Endpoint, values: Values): Promise<string | undefined> {
      let cursor: string | undefined;
      const limit = endpoint.parameters.some(({ name }) => name === 'limit') && { limit: '100' };
      for (let page = 0; page < MAX_PAGES; page++) {
        const next = await call(endpoint, { ...values, ...limit, ...(cursor && { cursor }) });
        if (!next?.pagination?.next_cursor) break;
        cursor = next.pagination.next_cursor;
      }
      return cursor;
    },
  };
}

function pathOf({ path, pathParameters }: Endpoint, values: Values): string {
  const inPath = new Set(pathParameters.map(({ name }) => name));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(Object.entries(values).filter(([name]) => !inPath.has(name)));
  return query.size === 0 ? filled : `${filled}?${query}`;
}

async function readKnown(corpus: Corpus): Promise<CorpusValues> {
  const [cohort] = await readCohorts(corpus);
  if (!cohort) throw new Error('The corpus has no listings.');
  const { city, neighborhoods, lat, lng } = cohort;
  const rows = await searchListings<{ hits: { hits: { sort: number[] }[] } }>(corpus, {
    size: 100,
    _source: false,
    query: { term: { 'filter.city': city } },
    sort: [{ 'filter.id': 'desc' }],
  });
  return {
    city,
    neighborhoods,
    ids: rows.hits.hits.map(({ sort }) => sort.at(-1) as number),
    point: { lat: (lat.low + lat.high) / 2, lng: (lng.low + lng.high) / 2 },
    words: WORDS,
  };
}

/** Frequent words of ads. */
const WORDS =
  'شقة للبيع للايجار غرف صالة مطبخ حمام دورات مياه مساحة شارع حي الرياض فيلا دور ارض عمارة جديد موقع مميز سعر متر مدخل مستقل مجلس مصعد مسبح حديقة apartment villa rent sale bedroom bathroom kitchen parking lift pool garden majlis street floor area meter'.split(
    ' ',
  );
