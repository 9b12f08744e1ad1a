import { readdirSync, readFileSync } from 'node:fs';
import { numberIn, readPublished, verdict } from '#bench/published.ts';
import { test } from '#test/test.ts';

const PARTS = new URL('../../bench/parts/', import.meta.url);
const published = readPublished();

/** Returns the names of the figures in the source of a part and of its loads, as patterns. A part may put a title before a name. */
function namesOf(part: string): RegExp[] {
  const own = readFileSync(new URL(`${part}.ts`, PARTS), 'utf8');
  const loads = [...own.matchAll(/from '(\.\.\/load\/.+?)'/g)].map(([, path = '']) =>
    readFileSync(new URL(path, PARTS), 'utf8'),
  );
  return [...[own, ...loads].join('\n').matchAll(/\bfigure\(\s*(['`"])(.+?)\1, /g)].map(([, , name = '']) => {
    const pattern = name.replace(/[()|.]/g, '\\$&').replace(/\$\{.+?\}/g, '.+');
    return new RegExp(`^(.+: )?${pattern}$`);
  });
}

test('every published figure is one that its part prints, and its result follows from its target', (t) => {
  const parts = readdirSync(PARTS).map((file) => file.replace('.ts', ''));
  t.deepEqual([...new Set(published.map(({ part }) => part))].toSorted(), parts.toSorted());
  for (const { part, name, measured, target, result } of published) {
    t.true(
      namesOf(part).some((pattern) => pattern.test(name)),
      `${part}: ${name}`,
    );
    t.is(result, Number.isNaN(numberIn(measured)) ? '' : verdict(numberIn(measured), target), name);
  }
});
