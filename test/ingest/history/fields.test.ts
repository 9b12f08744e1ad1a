import { DEAL_ROWS } from '#queries/analytics/deals.ts';
import { TREND_ROWS } from '#queries/analytics/trends.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { compileTemplates } from '#search/templates.ts';
import { test } from '#test/test.ts';

interface Mapped {
  properties?: Record<string, Mapped>;
}

/** Returns whether a template maps a field path. */
function isMapped(name: 'history' | 'deals' | 'listings', path: string): boolean {
  const { mappings } = compileTemplates().indexes[name].template as unknown as { mappings: Mapped };
  return path.split('.').reduce<Mapped | undefined>((at, part) => at?.properties?.[part], mappings) !== undefined;
}

for (const [name, rows] of [
  ['history', TREND_ROWS],
  ['deals', DEAL_ROWS],
] as const) {
  test(`every ${name} filter has its field in the index template`, (t) => {
    for (const row of rows) t.true(isMapped(name, row.field), row.name);
    for (const part of ['lat', 'lng']) t.true(isMapped(name, `filter.${part}`));
  });
}

test('trends and deals accept the statistics filters, except compounds in trends', (t) => {
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  t.deepEqual(
    names(cohortRows()).filter((name) => !names(TREND_ROWS).includes(name)),
    ['compound', 'in_compound'],
  );
  for (const name of names(cohortRows())) t.true(names(DEAL_ROWS).includes(name));
});
