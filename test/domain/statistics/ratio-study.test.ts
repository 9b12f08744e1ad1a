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
  t.deepEqual(studyRatios([]), { medianRatio: null, cod: null, prd: null, prb: null, intervals: null });
  t.is(studyRatios([{ estimate: 11, price: 10 }]).prb, null);
});

/** Prices from 300,000 to 1,340,000, and estimates 3% higher at half the price. */
const market = (size: number, random: () => number) =>
  Array.from({ length: size }, () => {
    const price = 300_000 * Math.exp(1.5 * random());
    const noise = 1 + 0.3 * (random() + random() + random() - 1.5);
    return { price, estimate: price * noise * (price / 600_000) ** -0.05 };
  });

test('the intervals of a ratio study match those of assesspy 2.0.2, and small samples have none', (t) => {
  let state = 12_345;
  const random = () => {
    state = Number((BigInt(state) * 1_103_515_245n + 12_345n) % 2n ** 31n);
    return state / 2 ** 31;
  };
  const sample = market(200, random).map(({ price, estimate }) => ({
    price: Math.round(price),
    estimate: Math.round(estimate),
  }));
  const { intervals } = studyRatios(sample);
  // Bounds of `prb_ci`, and of `boot_ci` with 5,000 rounds for `cod`, `prd` and the median.
  const bounds = {
    prb: [-0.03004573532960604, 0.0441597812294984],
    cod: [11.197447023515174, 13.702375040770887],
    prd: [1.0011445201842784, 1.0173185411726413],
    medianRatio: [0.9718844368443658, 1.0236408206730254],
  } as const;
  for (const [name, [low, high]] of Object.entries(bounds)) {
    const found = intervals?.[name as keyof typeof bounds];
    const tolerance = (high - low) * (name === 'prb' ? 1e-4 : 0.1);
    t.true(Math.abs((found?.low ?? 0) - low) < tolerance, `${name} from ${found?.low}`);
    t.true(Math.abs((found?.high ?? 0) - high) < tolerance, `${name} to ${found?.high}`);
  }
  t.is(studyRatios(sample.slice(0, 9)).intervals, null);
  t.is(studyRatios(Array.from({ length: 10 }, () => ({ estimate: 11, price: 10 }))).intervals?.prb, null);
});
