import { judgeProjects } from '#bench/dedupe/judge-projects.ts';
import { test } from '#test/test.ts';

/** A second generator with other kinds of noise. `npm run bench -- dedupe` reports more figures. */
test('project copies from an independent generator are merged', (t) => {
  const { same, found, companies, negatives } = judgeProjects(1);
  t.true(same.pairs > 600);
  t.true(found.joined / found.pairs >= 0.99, `precision: ${found.pairs - found.joined} of ${found.pairs} wrong`);
  t.true(same.joined / same.pairs >= 0.92, `recall: ${same.pairs - same.joined} of ${same.pairs} missed`);
  t.true(companies.found <= companies.stated * 1.1 && companies.mixed <= 2, JSON.stringify(companies));
  for (const [kind, { joined, pairs }] of negatives) t.true(joined <= pairs * 0.02, `${kind}: ${joined} of ${pairs}`);
});
