import { hashKey } from '#accounts/keys.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

/**
 * Charges the given units in separate calls through the API's charge pool.
 * @returns for each charge, the `synchronous_commit` setting of its transaction, or the reason for the refusal
 */
async function commits(key: string, units: readonly number[]): Promise<string[]> {
  const found = [];
  const client = await app.services.chargePool.connect();
  try {
    for (const each of units) {
      await client.query('begin');
      const { rows } = await client.query(
        `select charge($1, 'data', null, $2, true, 0, 0, null, null) ->> 'outcome' as outcome`,
        [hashKey(key, app.services.config.keyPepper), each],
      );
      const setting = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
      found.push(rows[0]?.outcome ?? setting.rows[0]?.synchronous_commit);
      await client.query('commit');
    }
  } finally {
    client.release();
  }
  return found;
}

test('charges that are not billed commit asynchronously, and all other writes synchronously', async (t) => {
  const columns = { units_per_month: 10, units_per_minute: 1_000, spend_cap_sar: 0.06 };
  const { key } = await createOrganization(app.services, { plan: 'starter', columns });
  t.deepEqual(await commits(key, [5, 5, 1, 9, 1]), ['off', 'off', 'on', 'on', 'spend_cap_reached']);
  const crossing = await createOrganization(app.services, { plan: 'starter', columns });
  t.deepEqual(await commits(crossing.key, [8, 5]), ['off', 'on'], 'including the call that crosses the quota');
  // Unlimited plans and test keys are never billed.
  const unlimited = await createOrganization(app.services, { plan: 'enterprise' });
  t.deepEqual(await commits(unlimited.key, [50_000]), ['off']);
  t.deepEqual(await commits(await createKey(app.services, unlimited.id, { kind: 'test' }), [30]), ['off']);
  const { rows } = await app.services.pool.query<{ synchronous_commit: string }>('show synchronous_commit');
  t.is(rows[0]?.synchronous_commit, 'on');
});
