import type pg from 'pg';
import type { Logger } from 'pino';
import type { DemoKeys } from '#accounts/demo.ts';
import { newId } from '#accounts/ids.ts';
import { hashKey, type RandomBytes } from '#accounts/keys.ts';
import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { endpoints } from '#endpoints/index.ts';
import { insertExport } from '#exports/store.ts';
import { MESSAGES } from '#http/errors.ts';
import { RequestLogWriter } from '#observability/request-log.ts';

/** Calls that an organization makes: the endpoint, what it costs as it is called, and the running share of all calls. */
const CALLS = [
  ['searchListings', 3, 0.46],
  ['getListing', 1, 0.68],
  ['countListings', 1, 0.76],
  ['getMarketSummary', 1, 0.84],
  ['getMarketPosition', 10, 0.88],
  ['listComparables', 15, 0.92],
  ['getMarketTrends', 15, 0.94],
  ['listCities', 0, 1],
] as const;
/** Ways in which they fail at times: the code and the parameter at fault. */
const FAILURES: Readonly<Record<string, readonly (readonly [ErrorCode, param: string | null])[]>> = {
  searchListings: [
    ['invalid_value', 'beds'],
    ['unknown_city', 'city'],
    ['rate_limited', null],
  ],
  getListing: [['listing_not_found', null]],
};
const FAILURE_SHARE = 0.06;
const DAYS = 21;
const CALLS_A_DAY = 24;
const DAY_MS = 86_400_000;

/** Exports that wait for the worker at the first start, so that there are some to look at and to fetch. */
const EXPORTS = [
  { key: 'free', dataset: 'registered_rents', format: 'csv', filters: {} },
  { key: 'enterprise', dataset: 'listings', format: 'ndjson', filters: { city: ['riyadh'], listing_type: ['rent'] } },
] as const;

/**
 * Writes the calls of the last weeks for the demo Pro organization, counts their units and asks for exports, once:
 * without them usage, request logs and exports would be empty until somebody calls.
 */
export async function seedDemoUsage(
  pool: pg.Pool,
  keys: DemoKeys,
  { pepper, random, now, logger }: { pepper: string; random: RandomBytes; now: number; logger: Logger },
): Promise<void> {
  const [live, test] = await Promise.all([keys.pro, keys.test].map((key) => findKey(pool, hashKey(key, pepper))));
  if (!live || !test) return;
  const { rowCount } = await pool.query('select from usage_days where organization_id = $1 limit 1', [
    live.organization,
  ]);
  if (rowCount) return;

  const writer = new RequestLogWriter(pool, logger);
  const share = (): number => Buffer.from(random(4)).readUInt32LE(0) / 2 ** 32;
  for (let day = DAYS; day >= 0; day--) {
    for (let call = Math.round(CALLS_A_DAY * (0.6 + 0.8 * share())); call > 0; call--) {
      const at = new Date(now - (day + share()) * DAY_MS);
      const caller = share() < 0.85 ? live : test;
      writer.add({
        ...anyCall(share),
        at,
        requestId: `req_${Buffer.from(random(12)).toString('hex')}`,
        ...ids(caller),
      });
    }
  }
  await writer.close();
  await pool.query(COUNT_UNITS, [live.organization]);
  for (const { key, ...wanted } of EXPORTS) {
    const caller = await findKey(pool, hashKey(keys[key], pepper));
    if (!caller) continue;
    const { id: keyId, organization: organizationId } = caller;
    await insertExport(pool, { id: newId('exp', random), organizationId, keyId, now: new Date(now), ...wanted });
  }
}

async function findKey(pool: pg.Pool, hash: Buffer): Promise<{ id: number; organization: number } | undefined> {
  const { rows } = await pool.query<{ id: number; organization: number }>(
    'select id, organization_id as organization from api_keys where hash = $1',
    [hash],
  );
  return rows[0];
}

const ids = ({ id, organization }: { id: number; organization: number }) => ({
  keyId: id,
  organizationId: organization,
  // Of the block that is kept for documentation.
  ip: '203.0.113.24',
});

function anyCall(share: () => number) {
  const mark = share();
  const [operationId, units] = CALLS.find(([, , upTo]) => mark < upTo) ?? CALLS[0];
  const endpoint = endpoints.find((each) => each.operationId === operationId);
  if (!endpoint) throw new Error(`there is no operation ${operationId}`);
  const failures = FAILURES[operationId] ?? [];
  const failure = share() < FAILURE_SHARE ? failures[Math.floor(share() * failures.length)] : undefined;
  const [code, param] = failure ?? [null, null];
  return {
    method: endpoint.method,
    route: endpoint.path,
    operationId,
    status: code === null ? 200 : ERRORS[code].status,
    code,
    message: code === null ? null : MESSAGES[code],
    param,
    units: code === null ? units : 0,
    durationMs: 2 + 18 * share() ** 2 + units,
  };
}

/** What this month's calls of an organization came to, as `charge` would have counted it. */
const COUNT_UNITS = `
  with used as (
    select k.id as key_id, k.kind, k.organization_id, k.project_id, sum(u.units)::bigint as units,
           to_char(now() at time zone 'UTC', 'YYYYMM')::int as month
      from usage_days u join api_keys k on k.id = u.key_id
     where u.organization_id = $1 and u.day >= date_trunc('month', now() at time zone 'UTC')::date
     group by k.id
  )
  insert into unit_counters as c (subject, subject_id, month, units)
  select 'organization', organization_id, month, sum(units) from used where kind = 'live' group by 2, 3
  union all select 'project', project_id, month, sum(units) from used where kind = 'live' and project_id is not null group by 2, 3
  union all select 'key', key_id, month, units from used where kind = 'test'
  union all select 'tests', organization_id, month, sum(units) from used where kind = 'test' group by 2, 3
  on conflict (subject, subject_id, month) do update set units = c.units + excluded.units`;
