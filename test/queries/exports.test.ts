import { readFileSync } from 'node:fs';
import { exportFilter } from '#queries/exports/listings.ts';
import { filterProperties, listSingleValues } from '#queries/filters/json.ts';
import { filterRows } from '#queries/filters/table.ts';
import { searchFilter } from '#queries/listings/search.ts';
import { test } from '#test/test.ts';

const context = { now: Date.UTC(2026, 3, 1, 12) };
interface Example {
  value: unknown;
  json?: unknown;
  with?: Readonly<Record<string, { value: unknown }>>;
}

// A single city and a list with one city compile to the same clause.
const oneSpelling = (text: string): string =>
  text.replaceAll(/"term":\{("filter\.(?:city|listing_type)"):("[^"]*")\}/g, '"terms":{$1:[$2]}');

for (const row of filterRows()) {
  test(`${row.name}: as JSON it compiles to the same clause as in a search`, (t) => {
    const file = new URL(`./filters/examples/${row.name}.json`, import.meta.url);
    const examples = JSON.parse(readFileSync(file, 'utf8')) as Example[];
    t.true(examples.length > 0);
    for (const { value, json = value, with: others = {} } of examples) {
      const given = Object.fromEntries(Object.entries(others).map(([name, other]) => [name, other.value]));
      const filters = { city: 'riyadh', listing_type: 'rent', ...given, [row.name]: value };
      const inJson = { ...filters, [row.name]: json };
      const compiled = exportFilter(listSingleValues(inJson, filterProperties(filterRows())), context);
      t.is(JSON.stringify(compiled), oneSpelling(JSON.stringify(searchFilter(filters, context))));
    }
  });
}
