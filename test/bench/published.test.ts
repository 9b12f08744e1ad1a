import { readdirSync, readFileSync } from 'node:fs';
import { numberIn, readPublished, verdict } from '#bench/published.ts';
import { test } from '#test/test.ts';

const PARTS = new URL('../../bench/parts/', import.meta.url);
const published = readPublished();

/** Returns the names of the figures in the source of a part, as patterns. A part may put a title before a name. */
function namesOf(part: string): RegExp[] {
  const source = readFileSync(new URL(`${part}.ts`, PARTS), 'utf8');
  return [...source.matchAll(/\bfigure\(\s*(['`"])(.+?)\1, /g)].map(([, , name = '']) => {
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

test('every row of the table of figures is read', (t) => {
  const text = readFileSync(new URL('../../docs/BENCHMARKS.md', import.meta.url), 'utf8');
  const [, table = ''] = /^## Figures[\s\S]+?\n(\|[\s\S]+?)\n\n/m.exec(text) ?? [];
  t.is(published.length, table.split('\n').length - 2);
});

test('a target is a lower bound, an upper bound or both', (t) => {
  const verdicts = (target: string) => [4, 5, 6].map((value) => verdict(value, target));
  t.deepEqual(verdicts('>= 5'), ['missed', 'met', 'met']);
  t.deepEqual(verdicts('<= 5'), ['met', 'met', 'missed']);
  t.deepEqual(verdicts('5 to 5.5'), ['missed', 'met', 'missed']);
  t.deepEqual(verdicts('-6 to -4'), ['missed', 'missed', 'missed']);
  t.is(numberIn('>= 5,000'), 5_000);
  t.is(numberIn('-0.97 ms'), -0.97);
});
