import type pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import {
  type DeveloperDisplay,
  type DeveloperNames,
  developerDocument,
  type ProjectDisplay,
  projectDocument,
  type StoredProject,
  unitProject,
} from '#domain/off-plan/project.ts';
import { PROJECT_STATUSES, type ProjectStatus } from '#domain/off-plan/project-vocabulary.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import type { Column } from '../postgres/column-rows.ts';
import { copyText, copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut, flag, number, numberOrNull, text } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import { readLastIds } from '../run/restore.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { identifyDevelopers } from './developers.ts';
import { createLinker, type LinkTarget, referenceKey } from './link.ts';
import { findCopies } from './match.ts';
import { rejectProjects } from './rejects.ts';
import { renderProject } from './render-project.ts';
import type { NormalizedProject } from './sources/raw.ts';

type CopyRow = sql.RowOf<typeof COPY_ROW>;
const COPY_ROW = {
  id: sql.integer,
  source: sql.text,
  source_project_id: sql.text,
  name_en: sql.nullable(sql.text),
  name_ar: sql.nullable(sql.text),
  developer_en: sql.nullable(sql.text),
  developer_ar: sql.nullable(sql.text),
  city: sql.text,
  neighborhood_id: sql.nullable(sql.integer),
  lat: sql.nullable(sql.number),
  lng: sql.nullable(sql.number),
  license: sql.nullable(sql.text),
  live: sql.boolean,
  /** Epoch seconds. */
  first_seen: sql.number,
  updated: sql.number,
  /** Keys on the CDN, separated by spaces. */
  photos: sql.text,
  pending: sql.boolean,
  /** JSON of a live copy; null for a withdrawn one. */
  record: sql.nullable(sql.text),
};

interface Project {
  id: number;
  copies: CopyRow[];
  developer: DeveloperNames | null;
  /** Null if the project is not served because it has no live copy or no photo. */
  stored: StoredProject | null;
}

/**
 * Merges project copies, assigns developer ids, and links units to their projects. The result is computed from the
 * tables only, and differences are written in one transaction, so interrupted runs do not affect it.
 */
export function projectsStage(context: RunContext): Promise<void> {
  const { run, pool } = context;
  return runStage(context, 'projects', async () => {
    const copies = await readCopies(pool);
    const rows = await sql.queryRows(
      pool,
      { key: sql.text, developer_id: sql.integer },
      'select key, developer_id from off_plan_developer_keys',
    );
    const known = new Map(rows.map(({ key, developer_id }) => [key, developer_id]));
    const developers = identifyDevelopers(known, copies, (await readLastIds(pool)).developer);
    const developerOf = new Map(copies.map((copy, index) => [copy.id, developers.ids[index] ?? null]));
    const owners = findCopies(copies.map((copy) => ({ ...copy, developer: developerOf.get(copy.id) ?? null })));
    const names = await developerNames(pool, developers.names);
    const projects = group(copies, owners, (copy) => {
      const id = developerOf.get(copy.id) ?? null;
      return id === null ? null : (names.get(id) ?? null);
    });
    const { dropped, refused } = renderAll(projects);
    const served = projects.filter((project) => project.stored !== null);
    return async (client) => {
      await saveDevelopers(client, run.id, developers.keys, names, served);
      const changed = await saveProjects(client, run.id, projects);
      const links = await linkUnits(context, client, served, developers.keys);
      await rejectProjects(client, run, refused);
      const details = {
        copies: copies.filter(({ live }) => live).length,
        merged: served.filter(({ copies: own }) => own.filter(({ live }) => live).length > 1).length,
        changed,
        ...links,
      };
      return { kept: served.length, dropped, details };
    };
  });
}

/** Returns all copies including withdrawn ones, oldest first. */
function readCopies(pool: pg.Pool): Promise<CopyRow[]> {
  return sql.queryRows(
    pool,
    COPY_ROW,
    `select id, source, source_project_id, name_en, name_ar, developer_en, developer_ar, city, neighborhood_id, lat, lng,
            license, withdrawn_at is null as live, extract(epoch from first_seen_at)::float8 as first_seen,
            extract(epoch from updated_at)::float8 as updated, photos, photos_pending = 1 as pending,
            case when withdrawn_at is null then record end as record
       from off_plan_records order by id`,
  );
}

/** Returns developer names by id. Known names are kept; a name in a missing language is added. */
async function developerNames(
  pool: pg.Pool,
  stated: ReadonlyMap<number, { name_en: string | null; name_ar: string | null }>,
): Promise<Map<number, DeveloperNames>> {
  const name = sql.nullable(sql.text);
  const columns = { id: sql.integer, name_en: name, name_ar: name };
  const rows = await sql.queryRows(pool, columns, 'select id, name_en, name_ar from off_plan_developers');
  const names = new Map<number, DeveloperNames>(rows.map((row) => [row.id, row]));
  for (const [id, { name_en, name_ar }] of stated) {
    const held = names.get(id);
    names.set(id, { id, name_en: held?.name_en ?? name_en, name_ar: held?.name_ar ?? name_ar });
  }
  return names;
}

function group(
  copies: readonly CopyRow[],
  owners: ReadonlyMap<number, number>,
  developerOf: (copy: CopyRow) => DeveloperNames | null,
): Project[] {
  return Array.from(
    Map.groupBy(copies, ({ id }) => owners.get(id) ?? id),
    ([id, own]) => {
      const developers = own.flatMap((copy) => (copy.live ? (developerOf(copy) ?? []) : []));
      return { id, copies: own, developer: developers[0] ?? null, stored: null };
    },
  );
}

interface UnservedProjects {
  dropped: Record<string, number>;
  /** Reasons by id for projects that cannot be rendered. */
  refused: Map<number, string>;
}

function renderAll(projects: readonly Project[]): UnservedProjects {
  const dropped: Record<string, number> = {};
  const refused = new Map<number, string>();
  for (const project of projects) {
    let reason: string | null = null;
    const live = project.copies.filter((copy) => copy.live);
    if (live.length === 0) reason = 'withdrawn';
    // As for listings, a project without a photo on the CDN is not served.
    else if (live.every(({ photos }) => photos === ''))
      reason = live.some(({ pending }) => pending) ? 'photos_pending' : 'no_photos';
    else
      try {
        const rendered = live.map(({ photos, record, ...copy }) => ({
          ...copy,
          photos: photos === '' ? [] : photos.split(' '),
          record: JSON.parse(record as string) as NormalizedProject,
        }));
        const firstSeen = Math.min(...project.copies.map(({ first_seen }) => first_seen));
        project.stored = renderProject(project.id, rendered, project.developer, firstSeen);
      } catch (error) {
        reason = 'refused';
        refused.set(project.id, messageOf(error));
      }
    if (reason !== null) dropped[reason] = (dropped[reason] ?? 0) + 1;
  }
  return { dropped, refused };
}

async function saveDevelopers(
  client: Transaction,
  run: number,
  keys: ReadonlyMap<string, number>,
  names: ReadonlyMap<number, DeveloperNames>,
  served: readonly Project[],
): Promise<void> {
  const displays = developersOf(served);
  const rows = [...names.values()].map(({ id, name_en, name_ar }) => {
    const display = displays.get(id);
    return { id, name_en, name_ar, document: display ? JSON.stringify(developerDocument(display)) : null };
  });
  await client.query(
    `insert into off_plan_developers as d (id, name_en, name_ar, document, changed_run)
     select id, name_en, name_ar, document, $2 from jsonb_to_recordset($1)
       as s (id integer, name_en text, name_ar text, document text)
     on conflict (id) do update set name_en = excluded.name_en, name_ar = excluded.name_ar,
       document = excluded.document, changed_run = excluded.changed_run
     where (d.name_en, d.name_ar, d.document) is distinct from (excluded.name_en, excluded.name_ar, excluded.document)`,
    [JSON.stringify(rows), run],
  );
  await client.query(
    `insert into off_plan_developer_keys as k (key, developer_id)
     select key, developer_id from jsonb_to_recordset($1) as s (key text, developer_id integer)
     on conflict (key) do update set developer_id = excluded.developer_id
     where k.developer_id <> excluded.developer_id`,
    [JSON.stringify([...keys].map(([key, developer_id]) => ({ key, developer_id })))],
  );
}

function developersOf(served: readonly Project[]): Map<number, DeveloperDisplay> {
  const displays = served.map(({ stored }) => (stored as StoredProject).display);
  const ofDeveloper = ([id, projects]: [number | undefined, ProjectDisplay[]]): [number, DeveloperDisplay][] => {
    const developer = projects[0]?.developer;
    if (id === undefined || !developer) return [];
    const cities = [...Map.groupBy(projects, ({ location }) => location.city)]
      .map(([city, { length }]) => ({ city, project_count: length }))
      .sort((a, b) => b.project_count - a.project_count || (a.city < b.city ? -1 : 1));
    const counts = PROJECT_STATUSES.map((each) => [each, projects.filter(({ status }) => status === each).length]);
    const projects_by_status = Object.fromEntries(counts) as Record<ProjectStatus, number>;
    return [[id, { ...developer, project_count: projects.length, projects_by_status, cities }]];
  };
  return new Map([...Map.groupBy(displays, ({ developer }) => developer?.id)].flatMap(ofDeveloper));
}

/** @returns number of changed projects */
async function saveProjects(client: Transaction, run: number, projects: readonly Project[]): Promise<number> {
  const lines = projects.map(({ id, stored, developer }) =>
    stored === null
      ? `${id}\t\\N\t\\N\t\\N`
      : [
          id,
          developer?.id ?? '\\N',
          copyText(JSON.stringify(projectDocument(stored))),
          copyText(JSON.stringify(unitProject(stored.display))),
        ].join('\t'),
  );
  await copyToTemporary(
    client,
    'found_projects (id integer primary key, developer_id integer, document text, unit_project text)',
    lines,
  );
  // If a project's oldest copy was merged into another project, the project no longer exists.
  await client.query(
    `insert into found_projects (id) select id from off_plan_projects p
      where not exists (select from found_projects f where f.id = p.id)`,
  );
  const { rowCount } = await client.query(
    `insert into off_plan_projects as p (id, developer_id, document, unit_project, changed_run)
     select id, developer_id, document, unit_project, $1 from found_projects
     on conflict (id) do update set developer_id = excluded.developer_id, document = excluded.document,
       unit_project = excluded.unit_project, changed_run = excluded.changed_run
     where (p.document, p.unit_project) is distinct from (excluded.document, excluded.unit_project)`,
    [run],
  );
  return rowCount ?? 0;
}

const NULL = '\\N';
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A nullable column with advertisers' text, which is read with COPY escapes. */
const writtenOrNull = (sql: string): Column<string | null> => ({
  sql,
  read: (value) => (value === NULL ? null : value.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char)),
});

/** Columns for ads that name a project or are linked to one. */
const UNIT_COLUMNS = {
  id: number('id'),
  source: text('source'),
  city: text('city'),
  lat: numberOrNull('lat'),
  lng: numberOrNull('lng'),
  duplicateOf: numberOrNull('duplicate_of'),
  withdrawn: flag('withdrawn_at is not null'),
  reference: writtenOrNull('project_ref'),
  name: writtenOrNull('project_name'),
  developer: writtenOrNull('project_developer'),
};
const UNITS = `from listings where project_ref is not null or project_name is not null or project_id is not null`;

/** Updates each unit's project and its listing, which takes the project from any of the ads that it combines. */
async function linkUnits(
  context: RunContext,
  client: Transaction,
  served: readonly Project[],
  developers: ReadonlyMap<string, number>,
): Promise<Record<string, number>> {
  const references = new Map<string, number>();
  const targets = served.map(({ id, copies, stored, developer }): LinkTarget => {
    const live = copies.filter((copy) => copy.live);
    // Withdrawn copies are included, because a source that no longer lists the project may still list units in it.
    for (const { source, source_project_id } of copies) references.set(referenceKey(source, source_project_id), id);
    const { city, lat, lng } = (stored as StoredProject).display.location;
    const names = live.flatMap(({ name_en, name_ar }) => [name_en, name_ar]).filter((name) => name !== null);
    return { id, names, developer: developer?.id ?? null, city, lat, lng };
  });
  const find = createLinker(targets, references, developers);
  const counts = { linked_by_reference: 0, linked_by_name: 0, not_found: 0 };
  const linked = new Map<number, number>();
  const inherited = new Map<number, number>();
  for await (const units of copyOut(context, UNIT_COLUMNS, UNITS)) {
    for (const unit of units) {
      const link = unit.withdrawn ? null : find(unit);
      if (link === null) {
        if (!unit.withdrawn && (unit.reference !== null || unit.name !== null)) counts.not_found += 1;
        linked.set(unit.id, 0);
        continue;
      }
      counts[link.by === 'reference' ? 'linked_by_reference' : 'linked_by_name'] += 1;
      linked.set(unit.id, link.project);
      if (unit.duplicateOf !== null && !inherited.has(unit.duplicateOf)) inherited.set(unit.duplicateOf, link.project);
    }
  }
  for (const [id, project] of inherited) if (!linked.get(id)) linked.set(id, project);
  const lines = [...linked].map(([id, project]) => `${id}\t${project === 0 ? '\\N' : project}`);
  await copyToTemporary(client, 'unit_links (listing_id bigint primary key, project_id integer)', lines);
  await client.query('analyze unit_links');
  const { rowCount } = await client.query(
    `update listings l set project_id = u.project_id, project = p.unit_project, ${touchVersion('$1')}
       from unit_links u left join off_plan_projects p on p.id = u.project_id
      where l.id = u.listing_id and (l.project_id is distinct from u.project_id or l.project is distinct from p.unit_project)`,
    [context.run.id],
  );
  return { ...counts, units_changed: rowCount ?? 0 };
}
