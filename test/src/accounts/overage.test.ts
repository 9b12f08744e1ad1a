import { setOveragePrices } from '#src/accounts/organization-store.ts';
import { administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await startTestApp();
});
test.after(() => app.close());

test('a configured price of overage applies to its plan, and plans without overage keep none', async (t) => {
  await setOveragePrices(app.services.pool, { growth: 7.25, free: 9, enterprise: 9, gold: 1 });
  const prices: Record<string, number> = {};
  for (const plan of ['free', 'starter', 'growth', 'enterprise'] as const) {
    const organization = await administered(app, { plan });
    prices[plan] = (await organization.get('')).body.data.overage.sar_per_1000_units;
  }
  t.deepEqual(prices, { free: 0, starter: 6, growth: 7.25, enterprise: 0 });
});
