import type pg from 'pg';
import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import type { DemoKeys } from '#src/accounts/demo.ts';
import { newId } from '#src/accounts/ids.ts';
import { hashKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { insertExport } from '#src/exports/store.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { requestIdAt } from '#src/http/request-id.ts';
import { RequestLogWriter } from '#src/observability/request-log.ts';
import type { Services } from '#src/services.ts';
import { eventBody } from '#src/webhooks/payload.ts';
import { newSecret, secretEncryption } from '#src/webhooks/secrets.ts';
import { randomShare } from '#stores/crypto/random-bytes.ts';
import * as sql from '#stores/postgres/rows.ts';

/** Requests in a hundred: operation, units, and code and invalid parameter of failed ones. */
const CALLS: readonly [count: number, operationId: string, units: number, code?: ErrorCode, param?: string][] = [
  [43, 'searchListings', 3],
  [1, 'searchListings', 0, 'invalid_value', 'beds'],
  [1, 'searchListings', 0, 'unknown_city', 'city'],
  [1, 'searchListings', 0, 'rate_limited'],
  [21, 'getListing', 1],
  [1, 'getListing', 0, 'listing_not_found'],
  [8, 'countListings', 1],
  [8, 'getMarketSummary', 1],
  [4, 'getMarketPosition', 10],
  [4, 'listComparables', 15],
  [2, 'getMarketTrends', 15],
  [6, 'listCities', 0],
];
const DAYS = 21;
const CALLS_A_DAY = 24;
const DAY_MS = 86_400_000;

/** Queued, so that users find exports to download. */
const EXPORTS = [
  { key: 'free', dataset: 'registered_rents', format: 'csv', filters: {} },
  { key: 'pro', dataset: 'registered_rents', format: 'csv', filters: {} },
  { key: 'enterprise', dataset: 'listings', format: 'ndjson', filters: { city: ['riyadh'], listing_type: ['rent'] } },
] as const;

type DemoServices = Pick<Services, 'pool' | 'config' | 'random' | 'logger'>;

/**
 * Seeds request logs, units, a webhook endpoint and an export of the demo Pro organization, and exports of two others. Runs once.
 */
export async function seedDemoUsage(services: DemoServices, keys: DemoKeys): Promise<void> {
  const { pool, config, random, logger } = services;
  const now = new Date();
  const keyOf = (name: keyof DemoKeys) => findKey(pool, hashKey(keys[name], config.keyPepper));
  const [live, test] = await Promise.all([keyOf('pro'), keyOf('test')]);
  if (!live || !test) return;
  const { rowCount } = await pool.query('select from usage_days where organization_id = $1 limit 1', [
    live.organization,
  ]);
  if (rowCount) return;

  const writer = new RequestLogWriter(pool, logger);
  const share = (): number => randomShare(random);
  for (let day = DAYS; day >= 0; day--) {
    for (let call = Math.round(CALLS_A_DAY * (0.6 + 0.8 * share())); call > 0; call--) {
      const at = new Date(now.getTime() - (day + share()) * DAY_MS);
      const { id: keyId, organization: organizationId } = share() < 0.85 ? live : test;
      // The address is reserved for documentation (RFC 5737).
      const caller = { keyId, organizationId, ip: '203.0.113.24' };
      writer.add({ ...anyCall(share), ...caller, at, requestId: requestIdAt(at.getTime(), random) });
    }
  }
  await writer.close();
  await pool.query(COUNT_UNITS, [live.organization]);
  await seedWebhook(services, live.organization, now);
  for (const { key, ...wanted } of EXPORTS) {
    const caller = await keyOf(key);
    if (!caller) continue;
    const { id: keyId, organization: organizationId } = caller;
    await insertExport(pool, { id: newId('exp', random), organizationId, keyId, now, ...wanted });
  }
}

/** A disabled endpoint with one delivery. Nothing is sent. */
async function seedWebhook(
  { pool, config: { encryptionKeys, siteUrl }, random }: DemoServices,
  organizationId: number,
  now: Date,
): Promise<void> {
  const price = { price_yearly_sar: 48_000, previous_price_yearly_sar: null };
  const home = { listing_id: 0, city: 'riyadh', listing_type: 'rent', property_type: 'apartment', ...price };
  const event = { id: newId('evt', random), type: 'listing.created' as const, at: now, ...home };
  await pool.query(
    `with endpoint as (
       insert into webhook_endpoints (public_id, organization_id, url, host, event_types, filters, secret, created_at, matched_run,
         matched_listing, status, disabled_reason, disabled_at, sequence, delivered)
       values ($1, $2, 'https://hooks.example.com/listings', 'hooks.example.com:443', '{listing.created,listing.price_changed}',
         '{"city": ["riyadh"], "listing_type": ["rent"], "beds_min": 2}', $3, $4, 0, 0, 'disabled', 'operator', $4, 1, 1) returning id
     ), delivery as (
       insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, test, body, created_at, due_at,
         status, attempts, tries, finished_at)
       select $5, id, 1, $6, 'listing.created', true, $7, $4, $4, 'delivered', 1, 1, $4 from endpoint returning id
     )
     insert into webhook_attempts (delivery_id, number, at, status, duration_ms, reply) select id, 1, $4, 200, 84, 'ok' from delivery`,
    [
      newId('whk', random),
      organizationId,
      secretEncryption(encryptionKeys, random).encrypt(newSecret(random)),
      now,
      newId('dlv', random),
      event.id,
      eventBody(event, { siteUrl, sequence: 1, test: true }),
    ],
  );
}

function findKey(pool: pg.Pool, hash: Buffer): Promise<{ id: number; organization: number } | null> {
  const columns = { id: sql.integer, organization: sql.integer };
  return sql.queryRow(pool, columns, 'select id, organization_id as organization from api_keys where hash = $1', [
    hash,
  ]);
}

const calls = CALLS.flatMap(([count, ...call]) => Array.from({ length: count }, () => call));

function anyCall(share: () => number) {
  const [operationId, units, code = null, param = null] = calls[Math.floor(share() * calls.length)] ?? [];
  const endpoint = endpoints.find((each) => each.operationId === operationId) as Endpoint;
  return {
    method: endpoint.method,
    route: endpoint.path,
    operationId: endpoint.operationId,
    status: code === null ? 200 : ERRORS[code].status,
    code,
    message: code === null ? null : ERRORS[code].en.message,
    param,
    units: units ?? 0,
    query: null,
    durationMs: 2 + 18 * share() ** 2 + (units ?? 0),
  };
}

/** SQL that counts this month's units, as `charge` would. */
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
