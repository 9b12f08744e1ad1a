import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import type { RawProject, RawUnitType } from '#ingest/off-plan/sources/raw.ts';
import { test } from '#test/test.ts';

const AT = new Date('2026-11-24T09:00:00Z');

function projectOf(raw: Partial<RawProject>) {
  const base = { source_project_id: '1', name_en: 'Oasis', status: 'ready', city: 'Riyadh' };
  const result = normalizeProject({ ...base, ...raw }, AT);
  if (!result.ok) throw new Error(result.reason);
  return result.project;
}

const unitOf = (unit: Partial<RawUnitType>) =>
  projectOf({ unit_types: [{ property_type: 'apartment', ...unit }] }).unit_types[0];

test('the unit behind a range applies to both bounds, and one bound is both', (t) => {
  for (const [area, min, max] of [
    ['95-120', 95, 120],
    ['من 95 إلى 120 م2', 95, 120],
    ['from 95 to 120 sqm', 95, 120],
    ['1,000 - 1,292 sqft', 92.9, 120],
    ['95', 95, 95],
    ['95-120-150', null, null],
    ['up to 120', null, null],
  ] as const)
    t.like(unitOf({ area }), { area_min_sqm: min, area_max_sqm: max }, area);
  for (const [price, min, max] of [
    ['850 - 950 ألف', 850_000, 950_000],
    ['850 ألف إلى 1.2 مليون', 850_000, 1_200_000],
    ['Starting from SAR 850,000', 850_000, 850_000],
    ['850,000 - 950,000 EUR', null, null],
    ['up to 950,000', null, null],
    ['on request', null, null],
  ] as const)
    t.like(unitOf({ price }), { price_min_sar: min, price_max_sar: max }, price);
  t.like(unitOf({ price_min: 'from 850,000', price_max: '1.2M' }), {
    price_min_sar: 850_000,
    price_max_sar: 1_200_000,
  });
});

test('a delivery date is the only stated day, month or quarter', (t) => {
  for (const [delivery, expected] of [
    ['Q4 2027', '2027-12-31'],
    ['الربع الثاني من 2028', '2028-06-30'],
    ['2027-06', '2027-06-30'],
    ['31/12/2027', '2027-12-31'],
    ['Q4 2026 - Q2 2027', null],
    ['Q4 2026 or 2027', null],
    ['1449/06', null],
    ['ready', null],
  ] as const)
    t.is(projectOf({ delivery }).delivery_date, expected, delivery);
});

test('shares of a payment plan are percentages', (t) => {
  const plan = (down: string | number, during: string | number, end: string | number) =>
    projectOf({ payment_plan: { down_payment: down, during_construction: during, on_delivery: end } }).payment_plan;
  const expected = { down_payment_pct: 20, during_construction_pct: 40, on_delivery_pct: 40 };
  t.deepEqual(plan(20, '40%', '٤٠٪'), expected);
  t.deepEqual(plan('20 percent', 40, '40 في المئة'), expected);
  for (const share of ['20,000 SAR', '20 months', '20k', 'about a fifth']) t.is(plan(share, 40, 40), null, share);
});
