import { readdirSync, readFileSync } from 'node:fs';
import { compileFilters } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import { filterParameters } from '#src/endpoints/listings/parameters.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { createValidator } from '#src/http/schema.ts';
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

test('every filter has examples, which decode from a query, are accepted as JSON and compile to their clauses', (t) => {
  const decode = compileParameters(filterParameters);
  const files = filterRows().map(({ name }) => `${name}.json`);
  t.deepEqual(
    readdirSync(FOLDER).sort(),
    files.sort(),
    'in test/queries/filters/examples, written like its other files',
  );
  for (const row of filterRows()) {
    const { name } = row;
    const faultsOf = createValidator(row.kind.jsonSchema ?? row.kind.schema(row));
    const examples = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Example[];
    t.true(examples.length > 0, name);
    for (const { text, value, json = value, with: others = {}, clause } of examples) {
      const given = (part: 'text' | 'value') => Object.entries(others).map(([other, each]) => [other, each[part]]);
      const query = new URLSearchParams({ ...Object.fromEntries(given('text')), [name]: text });
      const { values, faults } = decode(query, ANY_PLACE);
      t.deepEqual([values[name], faults.filter(({ param }) => param === name)], [value, []], `${name}=${text}`);
      t.is(faultsOf(json), null, `${name}=${text}`);
      const filters = { ...Object.fromEntries(given('value')), [name]: value };
      t.deepEqual(compileFilters(filters, { now: NOW }), [clause] as never, `${name}=${text}`);
    }
    const documented = decode(new URLSearchParams({ [name]: row.example }), ANY_PLACE);
    t.true(name in documented.values, `the documented example of ${name}`);
  }
});
