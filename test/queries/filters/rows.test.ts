import { readdirSync, readFileSync } from 'node:fs';
import { filterParameters } from '#endpoints/listings/parameters.ts';
import { compileParameters } from '#http/parameters.ts';
import { createValidator } from '#http/schema.ts';
import { compileFilters } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import { COHORT_FILTERS } from '#queries/market/cohort.ts';
import { sharedApp } from '#test/app.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

/** The clause of one value of a filter. */
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
}

/** The examples are written for this fixed time. */
const NOW = Date.parse('2026-06-01T12:00:00Z');
const FOLDER = new URL('./examples/', import.meta.url);
const readExamples = (name: string): Example[] =>
  JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Example[];

test('every filter has examples, and every example has a filter', (t) => {
  const files = readdirSync(FOLDER);
  const wanted = filterRows().map(({ name }) => `${name}.json`);
  const missing = wanted.filter((name) => !files.includes(name));
  t.deepEqual(missing, [], 'missing in test/queries/filters/examples, written like its other files');
  t.is(files.length, wanted.length, 'examples without a filter');
  for (const { name } of filterRows()) t.true(readExamples(name).length > 0, name);
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
    for (const { text, value, json = value, with: others = {} } of readExamples(row.name)) {
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
    for (const { text, value, clause, with: others = {} } of readExamples(row.name)) {
      const values = Object.entries(others).map(([name, other]) => [name, other.value]);
      const filters = { ...Object.fromEntries(values), [row.name]: value };
      t.deepEqual(compileFilters(filters, { now: NOW }), [clause] as never, `${row.name}=${text}`);
    }
  }
});

test('the OpenAPI document lists the filters, and for search also the parameters of its pages', async (t) => {
  const { body } = await (await sharedApp()).request('/v1/openapi.json');
  const names = (path: string): string[] => body.paths[path].get.parameters.map(({ name }: { name: string }) => name);
  const filters = filterRows().map(({ name }) => name);
  t.deepEqual(names('/listings'), [...filters, 'sort', 'limit', 'cursor', 'fields']);
  t.deepEqual(names('/listings/count'), filters);
  for (const row of filterRows()) {
    const parameter = body.paths['/listings'].get.parameters.find(({ name }: { name: string }) => name === row.name);
    t.is(parameter.required, row.required ?? false);
    t.is(parameter.description, row.description);
    const { $ref = '', ...stated } = parameter.schema.items ?? parameter.schema;
    const { enum: values } = body.components.schemas[$ref.split('/').at(-1)] ?? stated;
    if (row.values) t.deepEqual(values, [...row.values], row.name);
  }
});
