import fc from 'fast-check';
import { checkFilters, type FilterSet } from '#endpoints/filters/check.ts';
import { endpoints } from '#endpoints/index.ts';
import { DATASETS } from '#exports/datasets/index.ts';
import { compileBodyCheck } from '#http/body/check.ts';
import { cursorFingerprint, decodeCursor, encodeCursor } from '#http/cursor.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { compileParameters } from '#http/parameters.ts';
import { decodeOffset, encodeOffset } from '#mcp/paging.ts';
import { exportFilter } from '#queries/exports/listings.ts';
import { compileFilters } from '#queries/filters/compile.ts';
import { filterProperties, type JsonFilters } from '#queries/filters/json.ts';
import { type FilterValues, filterRows } from '#queries/filters/table.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { keptQueries } from '#queries/webhooks/percolator.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';
import { fuzz, mutated } from './fuzz.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
/** Maximum characters of a URL that the server reads. */
const MAX_URL = 8_192;
/** Maximum characters of `q`. */
const MAX_WORDS = 300;

const SECRETS = [
  { id: 'new1', secret: 'the secret now' },
  { id: 'old', secret: 'the secret before' },
];
const states = [20, 0, 99_999].map((offset) => ({
  offset,
  after: [1_780_000_000_000, 4711] as const,
  fingerprint: cursorFingerprint('org_1', 'newest', { city: 'riyadh' }),
}));
const cursors = states.map((state) => encodeCursor(state, SECRETS));

test('a changed cursor is refused in bounded time and memory', (t) =>
  fuzz(t, mutated(cursors), (text) => {
    const decoded = decodeCursor(text, SECRETS);
    if (decoded !== null && !cursors.includes(text)) throw new TypeError('a changed cursor was accepted');
  }));

test('a changed cursor of an MCP list is refused', (t) => {
  const args = { city: 'riyadh' };
  const offsets = [0, 40].map((offset) => encodeOffset(offset, 'tool', args));
  return fuzz(t, mutated(offsets), (text) => {
    if (decodeOffset(text, 'tool', args) !== null && !offsets.includes(text)) throw new TypeError(text);
  });
});

const QUERIES = [
  'villa without pool | "swimming pool" near Al Malqa 3 bedrooms',
  'شقة مفروشة بدون مصعد في حي الملقا | "غرفة سائق" عشرين',
  'townhouse living room maid’s-room 1,250,000 3غرف عبد الله',
];

test('any search text compiles to a query clause in bounded time and memory', (t) =>
  fuzz(t, mutated(QUERIES), (text) => {
    const q = text.slice(0, MAX_WORDS);
    for (const typos of [true, false]) JSON.stringify(searchTextClause(parseSearchText(q), { typos }));
  }));

const gets = endpoints
  .filter(({ method }) => method === 'GET')
  .map((endpoint) => {
    const all = [...endpoint.parameters, ...endpoint.pathParameters];
    const example = new URLSearchParams(
      Object.fromEntries(all.map(({ name, example }) => [name, String(example ?? '')])),
    );
    return { decode: compileParameters(all), example: decodeURIComponent(example.toString()) };
  });

test('the query of any operation is decoded, or refused with a message, in bounded time and memory', (t) =>
  fuzz(t, fc.oneof(...gets.map((get) => fc.tuple(fc.constant(get), mutated([get.example])))), ([{ decode }, text]) => {
    const { values, faults } = decode(new URLSearchParams(text.slice(0, MAX_URL)), ANY_PLACE);
    for (const { message } of faults) message?.();
    if (faults.length === 0) JSON.stringify(compileFilters(values as FilterValues, { now: NOW }));
  }));

const bodies = endpoints.flatMap(({ bodySchema }) => (bodySchema === undefined ? [] : [compileBodyCheck(bodySchema)]));
const BODIES = [
  '{"name":"backend","kind":"data","scopes":["listings","market"],"project_id":"prj_1"}',
  '{"url":"https://example.com/a","event_types":["listing.created"],"filters":{"city":["riyadh"]}}',
  '{"dataset":"listings","format":"csv","filters":{"city":"riyadh"}}',
  '{"ids":[1,2,3]}',
  '{"from":"2026-06-01T12:00:00Z"}',
];

/** Parses a body as the server does. Text that is not JSON is refused earlier. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test('the body of any operation is accepted, or refused with a message, in bounded time and memory', (t) =>
  fuzz(t, fc.tuple(fc.nat(bodies.length - 1), mutated(BODIES)), ([at, text]) => {
    const body = parsed(text);
    if (body !== undefined) bodies[at]?.(body)?.message?.();
  }));

const alertable = filterRows().filter(({ changesWithTime }) => !changesWithTime);
const SETS: readonly FilterSet[] = [
  ...DATASETS,
  { filters: { properties: filterProperties(alertable), required: ['city'] } },
];
const FILTERS = [
  '{"city":["riyadh","jeddah"],"listing_type":"sale","price_min":100000,"price_max":900000.5,"beds":[1,2,3]}',
  '{"city":"riyadh","bbox":[46.5,24.5,46.9,24.9],"amenities":["pool"],"q":"villa | \\"new pool\\"","furnished":true}',
  '{"modified_since":"2026-05-01T00:00:00Z","source":["bayut"],"compound":"Palm","neighborhood_id":[1001,1002]}',
  '{"city":"riyadh","month_from":"2025-01","month_to":"2025-06","quarter_from":"2025Q1","land_use_class":["residential"]}',
];

test('the filters of any export or webhook compile, or are refused, in bounded time and memory', (t) =>
  fuzz(t, fc.tuple(fc.nat(SETS.length - 1), mutated(FILTERS)), ([at, text]) => {
    const given = parsed(text);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
    const set = SETS[at] as FilterSet;
    try {
      const context = { places: ANY_PLACE, now: NOW, historyStart: '2024-01' };
      const filters = checkFilters(set, given as Record<string, unknown>, context);
      if (at === SETS.length - 1) JSON.stringify(keptQueries(filters as JsonFilters));
      else JSON.stringify(exportFilter(filters as JsonFilters, { now: NOW }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      JSON.stringify(error.message);
    }
  }));
