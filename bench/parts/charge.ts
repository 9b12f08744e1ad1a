import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type ChargeRequest, chargeStatement } from '#src/metering/charge-statement.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import type { Corpus } from '../corpus.ts';
import { compare } from '../load/compare.ts';
import { LoadGenerator, type LoadTarget } from '../load/generator.ts';

const ORGANIZATIONS = 10_000;

/** Measures the cost of authorizing and charging a call. */
export async function charge(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeOrganizations(corpus);
  // The deadline is far in the future, because it is compared and does not expire.
  const one = (organization: number): pg.QueryConfig => chargeStatement(callOf(organization), new Date('2100-01-01'));
  const side = (statements: readonly pg.QueryConfig[]): LoadTarget => ({
    databaseUrl: corpus.config.databaseUrl,
    statements,
  });
  // 7919 is coprime to the number of organizations, so that each organization occurs once per pass, in an order
  // unrelated to the table's pages.
  const spread = Array.from({ length: ORGANIZATIONS }, (_, at) => (at * 7919) % ORGANIZATIONS);
  const baseline = side([{ name: 'one', text: 'select 1', values: [] }]);
  const many = side(spread.map(one));
  // Simulates a running service: every organization has made a call, and the planner has statistics.
  const everyone = new LoadGenerator(many);
  await everyone.run({ connections: 4, count: ORGANIZATIONS });
  await everyone.close();
  await corpus.pool.query('vacuum analyze unit_counters, rate_windows');
  const alone = (await compare(bench, { baseline, many }, { connections: 1, count: 1_000 })).sides;
  const crowd = (await compare(bench, { many, single: side([one(0)]) }, { connections: 16, count: 1_000 })).sides;
  return {
    figures: [
      figure('p50 as a multiple of `select 1`, 1 connection', alone.many.p50 / alone.baseline.p50, 'x'),
      figure('over many organizations, 16 connections', crowd.many.per_second, '/s'),
      figure('over one organization, 16 connections', crowd.single.per_second, '/s'),
    ],
  };
}

const callOf = (organization: number): ChargeRequest => ({
  keyHash: hashOf(organization),
  audience: 'data',
  scope: 'listings',
  units: 3,
  valid: true,
  limit: 25,
  offset: 0,
  ip: '127.0.0.1',
  now: null,
});

const hashOf = (organization: number): Buffer => createHash('sha256').update(`bench-charge-${organization}`).digest();

/** Organizations with limits that are counted but never reached. */
async function makeOrganizations({ pool }: Corpus): Promise<void> {
  await pool.query(
    `insert into organizations (public_id, name, plan, units_per_minute, units_per_month)
     select 'org_bench_' || n, 'Bench ' || n, 'pro', 1000000000, 1000000000000 from generate_series(0, $1 - 1) n
     on conflict do nothing`,
    [ORGANIZATIONS],
  );
  await pool.query(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
     select 'key_bench_' || (k.n - 1), o.id, 'live', 'bench', k.hash, '0000'
       from unnest($1::bytea[]) with ordinality as k (hash, n) join organizations o on o.public_id = 'org_bench_' || (k.n - 1)
     on conflict do nothing`,
    [Array.from({ length: ORGANIZATIONS }, (_, organization) => hashOf(organization))],
  );
  await pool.query('vacuum analyze organizations, api_keys');
}
