import { chunks } from '#domain/chunks.ts';
import * as sql from '#postgres/rows.ts';
import type { RunContext } from '../run/context.ts';
import { OWNER, type Owner, type OwnerTable, ownerKey, readAddresses } from './owners.ts';

/**
 * Maximum number of URLs per host and run that are checked because their ads changed, which a release may do to all at
 * once. About a minute with 8 connections and 100 ms per request. Later runs check the rest.
 */
const CHANGED_PER_HOST = 5_000;
/**
 * Maximum number of URLs per host and run that are checked because of their age: about 13 seconds. With two runs a day,
 * 50,000 photos take 25 days.
 */
const AGED_PER_HOST = 1_000;
const MIN_AGE_DAYS = 7;
const PAGE = 500;

/** Returns SQL for the rows of each source due for a check since run `$1`, at most `$2`, so that all have room. */
const candidatesOf = (owner: OwnerTable, sources: string, due: string): string => `
  select '${owner}' as owner, c.id as owner_id, c.photos_checked_run as run from (${sources}) s
   cross join lateral (
     select id, photos_checked_run from ${owner} l where l.source = s.source and l.photos <> '' and ${due}
      order by l.photos_checked_run, l.id limit $2) c`;
const PROJECT_SOURCES = 'select distinct source from off_plan_records';
const UNCHECKED = 'l.photos_checked_run between 0 and $1::integer';
const CHANGED = 'l.photos_checked_run = -1 and l.withdrawn_at is null and $1::integer is not null';

const CANDIDATES = {
  changed: [
    candidatesOf('listings', 'select source from source_states', CHANGED),
    candidatesOf('off_plan_records', PROJECT_SOURCES, CHANGED),
  ],
  aged: [
    candidatesOf('listings', 'select source from source_states', `${UNCHECKED} and l.served`),
    candidatesOf('off_plan_records', PROJECT_SOURCES, `${UNCHECKED} and l.withdrawn_at is null`),
  ],
};

/**
 * Accepts lists of URLs in order, up to a number per host. After one is refused for a host, all later ones are, so that
 * the oldest come first. A host's first list is accepted whatever its length.
 */
class HostBudget {
  readonly #perHost: number;
  readonly #accepted = new Map<string, Set<string>>();
  readonly #closed = new Set<string>();

  constructor(perHost: number) {
    this.#perHost = perHost;
  }

  accept(urls: readonly string[]): boolean {
    const hosts = Map.groupBy(new Set(urls), hostOf);
    const full = [...hosts].filter(([host, wanted]) => !this.#hasRoom(host, wanted));
    for (const [host] of full) this.#closed.add(host);
    if (full.length > 0) return false;
    for (const [host, wanted] of hosts) {
      const accepted = this.#accepted.get(host) ?? new Set();
      for (const url of wanted) accepted.add(url);
      this.#accepted.set(host, accepted);
    }
    return true;
  }

  #hasRoom(host: string, wanted: readonly string[]): boolean {
    const accepted = this.#accepted.get(host);
    if (this.#closed.has(host)) return false;
    return accepted === undefined || accepted.size + wanted.filter((url) => !accepted.has(url)).length <= this.#perHost;
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/** Selects the rows whose stored photos are requested again. Stored, so that a resumed run keeps to them. */
export async function selectChecks(context: RunContext): Promise<void> {
  const { run, pool, writer } = context;
  const { run: before } = await sql.queryOne(
    pool,
    { run: sql.integer },
    `select coalesce(max(id), 0) as run from ingest_runs where at <= $1::timestamptz - interval '${MIN_AGE_DAYS} days'`,
    [run.at],
  );
  const selected = [
    ...(await acceptedOf(context, CANDIDATES.changed, before, CHANGED_PER_HOST)),
    ...(await acceptedOf(context, CANDIDATES.aged, before, AGED_PER_HOST)),
  ];
  await writer.transaction(async (client) => {
    await client.query('delete from photo_checks');
    await client.query(
      'insert into photo_checks (owner, owner_id) select * from unnest($1::text[], $2::bigint[]) on conflict do nothing',
      [selected.map(({ owner }) => owner), selected.map(({ owner_id }) => owner_id)],
    );
    await client.query(`update ingest_run_stages set checkpoint = 1 where run_id = $1 and stage = 'photos'`, [run.id]);
  });
}

async function acceptedOf(
  { pool, signal }: RunContext,
  candidates: readonly string[],
  before: number,
  perHost: number,
): Promise<Owner[]> {
  const rows = await sql.queryRows(
    pool,
    OWNER,
    `select owner, owner_id from (${candidates.join(' union all ')}) as due order by run, owner, owner_id`,
    [before, perHost],
  );
  const budget = new HostBudget(perHost);
  const accepted: Owner[] = [];
  for (const page of chunks(rows, PAGE)) {
    signal.throwIfAborted();
    const addresses = await readAddresses(pool, page);
    accepted.push(...page.filter((owner) => budget.accept(addresses.get(ownerKey(owner)) ?? [])));
  }
  return accepted;
}
