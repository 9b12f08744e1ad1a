import fc from 'fast-check';
import { studyRatios } from '#domain/statistics/ratio-study.ts';
import { test } from '#test/test.ts';

const PRICES = [1_000, 1_000, 1_600, 2_000, 800, 1_150, 3_600, 900];
const ESTIMATES = [980, 1_040, 1_500, 2_100, 760, 1_210, 3_300, 905];
const sample = PRICES.map((price, index) => ({ price, estimate: ESTIMATES[index] as number }));

test('a ratio study equals the results of assesspy 2.0.2, and is null without a sample', (t) => {
  const { medianRatio, cod, prd, prb } = studyRatios(sample);
  const near = (found: number | null, exact: number) => t.true(Math.abs((found ?? 0) - exact) < 1e-9, `${found}`);
  near(medianRatio, (0.98 + 905 / 900) / 2);
  near(cod, 4.57759543563417);
  near(prd, 1.0129223021402256);
  near(prb, -0.021967038507349757);
  t.deepEqual(studyRatios([]), { medianRatio: null, cod: null, prd: null, prb: null });
  t.is(studyRatios([{ estimate: 11, price: 10 }]).prb, null);
});

test('estimates at a constant ratio have no dispersion and no bias', (t) => {
  const prices = fc.array(fc.integer({ min: 1_000, max: 5_000_000 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(prices, fc.integer({ min: 50, max: 150 }), (values, percent) => {
      const study = studyRatios(values.map((price) => ({ price, estimate: (price * percent) / 100 })));
      t.true(Math.abs((study.medianRatio ?? 0) - percent / 100) < 1e-9);
      t.true((study.cod ?? 1) < 1e-9);
      t.true(Math.abs((study.prd ?? 0) - 1) < 1e-9);
      t.true(Math.abs(study.prb ?? 0) < 1e-6);
    }),
  );
});
