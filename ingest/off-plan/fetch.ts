import { messageOf } from '#domain/message-of.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { type AdOutcome, FetchCounts, repeats } from '../fetch/ad-counts.ts';
import { contentHash } from '../fetch/content-hash.ts';
import { endingAtFault, feedBatches, type IdCounter } from '../fetch/fetch-stage.ts';
import { CONFIRMED_SQL, type FeedStore, finalizeSource } from '../fetch/finalize-source.ts';
import { VALID_ID } from '../fetch/read-ad.ts';
import { assumedKey, shortHash } from '../hash.ts';
import { type RejectReason, settingsOf } from '../normalize/listing.ts';
import { feedId } from '../normalize/plain-values.ts';
import { saveAccepted } from '../postgres/save-accepted.ts';
import type { RunContext } from '../run/run-context.ts';
import { beginStage } from '../run/run-state.ts';
import { readRows } from '../threads/row-pool.ts';
import type { NormalizeProjectResult } from './normalize-project.ts';
import type { ProjectContext } from './project-reader.ts';
import { type ProjectRow, type ProjectSource, projectFeed } from './sources/index.ts';
import type { RawProject } from './sources/raw.ts';

const KNOWN = { id: sql.integer, key: sql.text, hash: sql.text, withdrawn: sql.boolean };
type StoredCopy = sql.RowOf<typeof KNOWN>;

interface CopyUpdate {
  id: number;
  hash: string;
  raw: RawProject;
  result: Extract<NormalizeProjectResult, { ok: true }>;
  counted: AdOutcome;
}

interface Batch {
  known: Map<string, StoredCopy>;
  saved: CopyUpdate[];
}

const READER = new URL('./project-reader.ts', import.meta.url);

/** By the rules for ads. Stage, rejects and state have the feed name `<source>/projects`. */
export async function fetchProjects(context: RunContext, source: ProjectSource, ids: IdCounter): Promise<void> {
  const { run, writer } = context;
  const feed = projectFeed(source.name);
  const stage = await beginStage(writer, run, 'fetch', feed);
  if (stage.finished) return;
  const counts = new FetchCounts();
  await endingAtFault(context, counts, async () => {
    for await (const rows of feedBatches<ProjectRow>(context, source, counts)) {
      const batch: Batch = { known: await lookUp(context, source.name, rows), saved: [] };
      const raws = rows.flatMap((row) => (row.ok ? [row.raw] : []));
      const results = await readProjects(context, source, raws);
      for (const row of rows) {
        counts.rows += 1;
        const fault = row.ok ? classify(context, source, row.raw, results, { ids, counts, batch }) : row;
        if (fault !== null) counts.reject(fault.reason, fault.detail, row.ok ? shown(row.raw) : '');
      }
      await writer.transaction((client) =>
        saveAccepted(
          client,
          batch.saved,
          (part) => saveProjects(client, context, source.name, part),
          ({ id, counted, raw }, reason) => counts.refuse(id, counted, reason, shown(raw)),
        ),
      );
      context.onProgress({ stage: 'fetch', source: feed, done: counts.rows, total: null });
    }
  });
  await finalizeSource(context, feed, counts, storeOf(source.name));
}

/** For operators, without the license number, which is private. */
function shown({ license_number: license, ...rest }: RawProject): string {
  const text = JSON.stringify(rest);
  return license ? text.replaceAll(String(license), '') : text;
}

type Results = ReadonlyMap<RawProject, NormalizeProjectResult>;

async function readProjects(
  { run, boundaries, signal }: RunContext,
  source: ProjectSource,
  raws: readonly RawProject[],
): Promise<Results> {
  const context: ProjectContext = { at: run.at, settings: settingsOf(source) };
  const results = await readRows<NormalizeProjectResult>(raws, { module: READER, context, boundaries, signal });
  return new Map(results.map((result, at) => [raws[at] as RawProject, result]));
}

interface Fault {
  reason: RejectReason;
  detail: string;
}

/** @returns why the row is rejected, or null */
function classify(
  { boundaries }: RunContext,
  source: ProjectSource,
  raw: RawProject,
  results: Results,
  { ids, counts, batch }: { ids: IdCounter; counts: FetchCounts; batch: Batch },
): Fault | null {
  try {
    const key = feedId(raw.source_project_id);
    if (key === '') return { reason: 'missing_id', detail: 'the row has no id' };
    if (!VALID_ID.test(key)) return { reason: 'malformed_row', detail: 'the id is too long or has control characters' };
    const hash = contentHash('projects', raw, boundaries, source);
    const held = batch.known.get(key);
    if (held !== undefined && counts.seen.has(held.id)) return { reason: 'duplicate_id', detail: repeats(key) };
    // A withdrawn project that is listed again is written like a changed one.
    if (!held?.withdrawn && counts.skip(hash, held) !== null) return null;
    const result = results.get(raw) as NormalizeProjectResult;
    // A stored project whose row cannot be parsed still counts as listed.
    if (held) counts.seen.add(held.id);
    if (!result.ok) return result;
    if (result.boundary !== null) counts.note(`boundary_${result.boundary}`);
    const id = held?.id ?? ids.next++;
    batch.saved.push({ id, hash, raw, result, counted: counts.take(id, held) });
    if (held === undefined) batch.known.set(key, { id, key, hash, withdrawn: false });
    return null;
  } catch (error) {
    return { reason: 'malformed_row', detail: messageOf(error) };
  }
}

async function lookUp(
  { pool }: RunContext,
  source: string,
  rows: readonly ProjectRow[],
): Promise<Map<string, StoredCopy>> {
  const keys = rows.flatMap((row) => (row.ok ? [feedId(row.raw.source_project_id)] : []));
  const found = await sql.queryRows(
    pool,
    KNOWN,
    `select id, source_project_id as key, content_hash as hash, withdrawn_at is not null as withdrawn
       from off_plan_records where source = $1 and source_project_id = any ($2)`,
    [source, keys],
  );
  return new Map(found.map((known) => [known.key, known]));
}

async function saveProjects(
  client: Transaction,
  { run, photos }: RunContext,
  source: string,
  saved: readonly CopyUpdate[],
): Promise<void> {
  const rows = saved.map(({ id, hash, result: { project, license } }) => ({
    id,
    ...project,
    content_hash: hash,
    license,
    record: JSON.stringify(project),
    keys: photos.mode === 'assume' ? project.photos.map(assumedKey).join(' ') : '',
    photo_list: project.photos.length > 0 ? shortHash(project.photos.join(' ')) : '',
    photos_pending: project.photos.length > 0 && photos.mode !== 'assume' ? 1 : 0,
    updated_at: project.source_updated_at ?? run.at.toISOString(),
  }));
  await client.query(
    `insert into off_plan_records as r
         (id, source, source_project_id, content_hash, name_en, name_ar, developer_en, developer_ar, city,
          neighborhood_id, lat, lng, license, record, photos, photo_list, photos_pending, first_seen_at, updated_at,
          changed_run, listed_run)
       select id, $2, source_project_id, content_hash, name_en, name_ar, developer_en, developer_ar, city,
              neighborhood_id, lat, lng, license, record, keys, photo_list, photos_pending, $3, updated_at, $4, $4
         from jsonb_to_recordset($1) as s (id integer, source_project_id text, content_hash text, name_en text,
              name_ar text, developer_en text, developer_ar text, city text, neighborhood_id integer,
              lat double precision, lng double precision, license text, record text, keys text, photo_list text,
              photos_pending smallint, updated_at timestamptz)
       on conflict (source, source_project_id) do update set
         content_hash = excluded.content_hash, name_en = excluded.name_en, name_ar = excluded.name_ar,
         developer_en = excluded.developer_en, developer_ar = excluded.developer_ar, city = excluded.city,
         neighborhood_id = excluded.neighborhood_id, lat = excluded.lat, lng = excluded.lng,
         license = excluded.license, record = excluded.record, updated_at = excluded.updated_at,
         changed_run = excluded.changed_run, withdrawn_at = null,
         listed_run = case when r.withdrawn_at is null then r.listed_run else excluded.listed_run end,
         -- the earlier photos stay until those of the new list have been copied
         photos = case when r.photo_list = excluded.photo_list or excluded.photos_pending = 1 then r.photos
           else excluded.photos end,
         photos_pending = case when r.photo_list = excluded.photo_list then r.photos_pending
           else excluded.photos_pending end,
         photos_checked_run = case when r.record <> excluded.record then -1 else r.photos_checked_run end,
         photo_list = excluded.photo_list`,
    [JSON.stringify(rows), source, run.at, run.id],
  );
}

const storeOf = (source: string): FeedStore => ({
  async *live({ pool }, feed) {
    yield await sql.queryRows(
      pool,
      { id: sql.integer, confirmed: sql.boolean },
      `select l.id, ${CONFIRMED_SQL} as confirmed from off_plan_records l left join source_states s on s.source = $2
        where l.source = $1 and l.withdrawn_at is null`,
      [source, feed],
    );
  },
  withdraw: async (client, run, ids) => {
    await client.query(
      'update off_plan_records set withdrawn_at = $2, changed_run = $1 where id = any ($3::integer[])',
      [run.id, run.at, ids],
    );
  },
});
