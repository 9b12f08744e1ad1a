import { readdirSync, readFileSync } from 'node:fs';
import type { ListingDisplay, ListingPrivate } from '#domain/listings/listing.ts';
import { filterParameters } from '#endpoints/listings/parameters.ts';
import { compileParameters } from '#http/parameters.ts';
import { createValidator } from '#http/schema.ts';
import { compileFilters } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import { COHORT_FILTERS } from '#queries/market/cohort.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, type Deep, indexListings, makeListing } from '#test/factories.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

/**
 * The expected meaning of one value of a filter. `{city}` and `{other_city}` are replaced with cities created by the
 * test.
 */
interface Example {
  /** As written in a query string. */
  text: string;
  /** As decoded, and as accepted in the JSON filters of other endpoints. */
  value: unknown;
  /** The value in JSON filters, if it differs. */
  json?: unknown;
  /** Filters that the example requires. */
  with?: Readonly<Record<string, { text: string; value: unknown }>>;
  clause: unknown;
  matches: Overrides;
  misses: Overrides;
}

interface Overrides {
  display?: Deep<ListingDisplay>;
  private?: Partial<ListingPrivate>;
}

/** The examples are written for this fixed time. */
const NOW = Date.parse('2026-06-01T12:00:00Z');
const FOLDER = new URL('./examples/', import.meta.url);
/** Neighborhoods in the examples. */
const NEIGHBORHOODS = [1001, 1002, 1003, 1004, 1005, 1029, 1035].map((id) => ({ id }));

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
});
test.after(() => app.close());

function readExamples(name: string, city: string, otherCity: string): Example[] {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  return JSON.parse(text.replaceAll('{city}', city).replaceAll('{other_city}', otherCity)) as Example[];
}

test('every filter has examples, and every example has a filter', (t) => {
  const files = readdirSync(FOLDER);
  const wanted = filterRows().map(({ name }) => `${name}.json`);
  const missing = wanted.filter((name) => !files.includes(name));
  t.deepEqual(missing, [], 'missing in test/queries/filters/examples, written like its other files');
  t.is(files.length, wanted.length, 'examples without a filter');
  for (const { name } of filterRows()) t.true(readExamples(name, 'here', 'there').length > 0, name);
});

test('a row has an Arabic label, a maximum names its minimum, and statistics take all filters of a field or none', (t) => {
  const names = new Set(filterRows().map(({ name }) => name));
  const cohort = new Set<string>(COHORT_FILTERS);
  const fields = new Set(filterRows().flatMap(({ name, field }) => (cohort.has(name) ? [field] : [])));
  for (const { name, label, field, notBelow } of filterRows()) {
    t.regex(label.ar, /\p{Script=Arabic}/u, name);
    const minimum = name.replace(/_max$/, '_min') as typeof name;
    if (minimum !== name && names.has(minimum)) t.is(notBelow, minimum, name);
    t.is(cohort.has(name), fields.has(field), `${name}: COHORT_FILTERS in queries/market/cohort.ts`);
  }
});

test('the text of an example decodes to its value, which the JSON schema of the filter accepts', (t) => {
  const decode = compileParameters(filterParameters);
  for (const row of filterRows()) {
    const faultsOf = createValidator(row.kind.jsonSchema ?? row.kind.schema(row));
    for (const { text, value, json = value, with: others = {} } of readExamples(row.name, 'here', 'there')) {
      const given = Object.entries(others).map(([name, other]): [string, string] => [name, other.text]);
      const { values, faults } = decode(new URLSearchParams([...given, [row.name, text]]), ANY_PLACE);
      t.is(JSON.stringify(values[row.name]), JSON.stringify(value));
      t.deepEqual(
        faults.filter(({ param }) => param === row.name),
        [],
      );
      t.is(faultsOf(json), null, `${row.name}=${text}`);
    }
    const documented = decode(new URLSearchParams([[row.name, row.example]]), ANY_PLACE);
    t.true(row.name in documented.values, `the documented example of ${row.name}`);
  }
});

test('an example compiles to its clause', (t) => {
  for (const row of filterRows()) {
    for (const { text, value, clause, with: others = {} } of readExamples(row.name, 'here', 'there')) {
      const values = Object.entries(others).map(([name, other]) => [name, other.value]);
      const filters = { ...Object.fromEntries(values), [row.name]: value };
      t.deepEqual(compileFilters(filters, { now: NOW }), [clause] as never, `${row.name}=${text}`);
    }
  }
});

test('search and count return only the matching listing', async (t) => {
  const cases: { name: string; example: Example; city: string; matching: number }[] = [];
  const listings = [];
  for (const { name } of filterRows()) {
    const count = readExamples(name, '', '').length;
    for (let index = 0; index < count; index += 1) {
      const [city, other] = [(await app.addCity({}, NEIGHBORHOODS)).slug, (await app.addCity()).slug];
      const example = readExamples(name, city, other)[index] as Example;
      const [matching, missing] = [example.matches, example.misses].map((overrides) => {
        const display = { ...overrides.display, location: { city, ...overrides.display?.location } };
        return makeListing(display, { first_seen: NOW / 1000 - 3 * 86_400, ...overrides.private });
      });
      if (!matching || !missing) throw new Error('unreachable');
      listings.push(matching, missing);
      cases.push({ name, example, city, matching: matching.display.id });
    }
  }
  await indexListings(app.services, listings);
  for (const { name, example, city, matching } of cases) {
    const query = new URLSearchParams({ city, listing_type: 'rent' });
    for (const [other, { text }] of Object.entries(example.with ?? {})) query.set(other, text);
    query.set(name, example.text);
    const found = await app.request(`/v1/listings?${query}`, { key });
    t.is(found.status, 200, found.text);
    const ids = (found.body.data as { id: number }[]).map(({ id }) => id);
    t.deepEqual(ids, [matching], `${name}=${example.text} for ${JSON.stringify(example.matches)}`);
    const counted = await app.request(`/v1/listings/count?${query}`, { key });
    t.is(counted.body.data.total, 1, `count of ${name}=${example.text}`);
  }
});

test('every filter field and every field in its clauses is in the live mapping', async (t) => {
  const { body } = await app.services.opensearch.indices.getMapping({
    index: app.services.opensearch.aliases.listings,
  });
  const [index] = Object.values(body as Record<string, { mappings: Mapped }>);
  const mapped = new Map<string, Mapped>();
  const walk = (node: Mapped, path: string): void => {
    for (const [name, child] of Object.entries({ ...node.properties, ...node.fields })) {
      mapped.set(path + name, child);
      walk(child, `${path}${name}.`);
    }
  };
  walk(index?.mappings ?? {}, '');
  for (const row of filterRows()) {
    t.true(mapped.has(row.field), `${row.name}: ${row.field}`);
    const fields = readExamples(row.name, 'here', 'there').flatMap(({ clause }) => fieldsOf(clause));
    t.true(fields.length > 0, row.name);
    for (const field of fields) {
      const found = mapped.get(field);
      t.truthy(found?.type, `${row.name}: ${field}`);
      t.not(found?.index, false, `${row.name}: ${field}`);
    }
  }
});

interface Mapped {
  type?: string;
  index?: boolean;
  properties?: Record<string, Mapped>;
  fields?: Record<string, Mapped>;
}

/** Returns the fields that a clause uses. */
function fieldsOf(clause: unknown): string[] {
  if (Array.isArray(clause)) return clause.flatMap(fieldsOf);
  if (typeof clause !== 'object' || clause === null) return [];
  return Object.entries(clause).flatMap(([kind, body]) => {
    if (kind === 'exists') return [(body as { field: string }).field];
    if (['term', 'terms', 'range', 'match', 'match_phrase'].includes(kind)) return Object.keys(body as object);
    if (kind.startsWith('geo_')) return Object.keys(body as object).filter((name) => name.includes('.'));
    return fieldsOf(body);
  });
}

test('the OpenAPI document lists the filters, and for search also the paging parameters', async (t) => {
  const { body } = await app.request('/v1/openapi.json');
  const names = (path: string): string[] => body.paths[path].get.parameters.map(({ name }: { name: string }) => name);
  const filters = filterRows().map(({ name }) => name);
  t.deepEqual(names('/listings'), [...filters, 'sort', 'limit', 'cursor']);
  t.deepEqual(names('/listings/count'), filters);
  for (const row of filterRows()) {
    const parameter = body.paths['/listings'].get.parameters.find(({ name }: { name: string }) => name === row.name);
    t.is(parameter.required, row.required ?? false);
    t.is(parameter.description, row.description);
    if (row.values) t.deepEqual((parameter.schema.items ?? parameter.schema).enum, [...row.values], row.name);
  }
});
