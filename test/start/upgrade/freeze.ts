// `node test/start/upgrade/freeze.ts <release>`: writes the data of this release as an installation has them, for the upgrade
// tests of later releases. Starts separate engines, and needs no client tools of Postgres.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { generateKey, hashKey } from '#accounts/keys.ts';
import { Places } from '#domain/geography/reference.ts';
import { startEngines } from '#embedded/engines.ts';
import { generateSample } from '#sample/generate.ts';
import { openIngest } from '#start/ingest.ts';
import { prepareStores } from '#start/stores.ts';
import { startTestApp } from '#test/app.ts';
import { testConfig } from '#test/env.ts';
import { describeSchema } from '#test/schema.ts';

const LISTINGS = 40;
const DAYS = ['2026-11-23', '2026-11-24'];
const ORGANIZATION = 'Frozen';

const [release] = process.argv.slice(2);
if (release === undefined) throw new Error('State the release: node test/start/upgrade/freeze.ts 1.2.0');
const folder = join(import.meta.dirname, release);
await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), 'freeze-'));
const engines = await startEngines({ dataDir, throwaway: true, say: console.log });
try {
  await freeze();
} finally {
  await engines.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function freeze(): Promise<void> {
  const pepper = `pepper of the frozen data of ${release}`;
  const proxy = await recordDocuments(engines.env.OPENSEARCH_URL as string);
  Object.assign(process.env, engines.env, { OPENSEARCH_URL: proxy.url, KEY_PEPPER: pepper, DATA_DIR: dataDir });
  const config = testConfig({ INDEX_PREFIX: '' });
  const { databaseUrl } = config;
  const schema = await recordStatements(() => prepareStores(config));

  const until = DAYS.at(-1) as string;
  await generateSample({
    dir: dataDir,
    listings: LISTINGS,
    seed: 1,
    days: DAYS.length,
    until,
    hostUrl: 'http://127.0.0.1:9',
  });
  const ingest = await openIngest(config, { dataDir });
  for (const day of DAYS) {
    const at = new Date(`${day}T09:00:00Z`);
    await ingest.run({ at, trigger: 'sample', photos: 'assume', signal: AbortSignal.timeout(600_000) });
  }
  await ingest.close();
  const { key, units } = await useService();

  const documents = await proxy.documents();
  await proxy.close();
  await write('database.sql.gz', await dumpDatabase(databaseUrl, schema));
  await write('indexes.json.gz', JSON.stringify(documents.indexes));
  await write('documents.ndjson.gz', documents.lines);
  const settings = { pepper, key, organization: ORGANIZATION, units };
  await writeFile(join(folder, 'release.json'), `${JSON.stringify(settings, null, 2)}\n`);

  async function write(name: string, content: string): Promise<void> {
    await writeFile(join(folder, name), gzipSync(content, { level: 9 }));
  }
}

/** Creates the organization and makes four calls. @returns its key, and the charged units */
async function useService(): Promise<{ key: string; units: number }> {
  const app = await startTestApp({ env: { INDEX_PREFIX: '' }, overrides: { places: new Places() } });
  const { pool, config } = app.services;
  const key = generateKey('live', randomBytes);
  await pool.query(
    `with organization as (
       insert into organizations (public_id, name, plan) values ('org_frozen', $1, 'growth') returning id)
     insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
       select 'key_frozen', id, 'live', 'frozen', $2, $3 from organization`,
    [ORGANIZATION, hashKey(key, config.keyPepper), key.slice(-4)],
  );
  const cohort = 'city=riyadh&listing_type=rent';
  let units = 0;
  for (const path of [`/v1/listings?${cohort}`, `/v1/listings/count?${cohort}`, '/v1/cities']) {
    const { status, headers, text } = await app.request(path, { key });
    if (status !== 200) throw new Error(`${path}: ${text}`);
    units += Number(headers.get('X-Request-Units') ?? 0);
  }
  await app.close();
  return { key, units };
}

/** Runs the migrations. @returns the statements that define the schema, in order */
async function recordStatements(work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, values] = given as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    const bound =
      typeof first === 'string' ? Array.isArray(values) && values.length > 0 : (first.values ?? []).length > 0;
    if (!bound && !/^\s*(begin|commit|rollback|select|set|show)\b/i.test(text)) statements.push(text);
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}

/** Returns SQL that creates the database. @throws Error if its schema differs from that of the original */
async function dumpDatabase(url: string, schema: readonly string[]): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const read = async (text: string): Promise<string[]> =>
      (await client.query<{ line: string }>(text)).rows.map(({ line }) => line);
    const partitions = await read(
      `select format('create table if not exists %I partition of %I %s', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)) as line
         from pg_inherits join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent
        where c.relispartition and c.relkind = 'r' order by 1`,
    );
    const tables = await read(
      `select relname as line from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and not relispartition order by 1`,
    );
    const rows: string[] = [];
    for (const table of tables) {
      const columns = await read(
        `select quote_ident(attname) as line from pg_attribute
          where attrelid = quote_ident('${table}')::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      );
      rows.push(
        ...(await read(
          `select format('insert into %1$I (%2$s) overriding system value select %2$s from json_populate_record(null::%1$I, %3$L)',
                         '${table}', '${columns.join(', ')}', to_json(t)) as line from ${pg.escapeIdentifier(table)} t`,
        )),
      );
    }
    const sequences = await read(
      `select format('select setval(%L, %s)', sequencename, last_value) as line from pg_sequences
        where schemaname = 'public' and last_value is not null`,
    );
    const dump = [
      ...schema,
      ...partitions,
      `set session_replication_role = replica`,
      ...tables.map((table) => `delete from ${pg.escapeIdentifier(table)}`),
      ...rows,
      ...sequences,
      `set session_replication_role = default`,
    ].join(';\n');
    await client.query('create database frozen_copy');
    const copy = new URL(url);
    copy.pathname = '/frozen_copy';
    const restored = new pg.Client({ connectionString: copy.href });
    await restored.connect();
    try {
      await restored.query(dump);
    } finally {
      await restored.end();
    }
    const [original, copied] = await Promise.all([describeSchema(url), describeSchema(copy.href)]);
    if (JSON.stringify(original) !== JSON.stringify(copied)) throw new Error('the copy has another schema');
    return dump;
  } finally {
    await client.end();
  }
}

/**
 * Forwards to OpenSearch and records the documents of bulk requests. The mappings exclude most of the indexed fields from
 * `_source`, so that documents cannot be read back.
 */
async function recordDocuments(target: string) {
  const documents = new Map<string, Map<string, [action: object, document: string]>>();
  const resolved = new Map<string, string>();
  const get = async (path: string) => (await fetch(`${target}${path}`)).json();
  /** Returns the index of an alias, which another index may have later. */
  const indexOf = async (name: string): Promise<string> => Object.keys((await get(`/${name}`)) as object)[0] as string;
  const record = async (path: string, body: string): Promise<void> => {
    const [, named] = /^\/(?:([^/]+)\/)?_bulk/.exec(path) ?? [];
    const lines = body.trimEnd().split('\n');
    for (let at = 0; at < lines.length; at++) {
      const [[operation, action] = ['', {}]] = Object.entries(
        JSON.parse(lines[at] as string) as Record<string, { _index?: string; _id?: string }>,
      );
      const target = action._index ?? named ?? '';
      const index = resolved.get(target) ?? (await indexOf(target));
      resolved.set(target, index);
      const own = documents.get(index) ?? new Map();
      documents.set(index, own);
      if (operation === 'delete') own.delete(action._id);
      else own.set(action._id, [{ ...action, _index: undefined }, lines[++at] as string]);
    }
    resolved.clear();
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method, headers, url: path = '' } = incoming;
    const body = await buffer(incoming);
    const forwarded = httpRequest(new URL(path, target), { method, headers }, async (response) => {
      const answer = await buffer(response);
      if (path.includes('_bulk') && response.statusCode === 200) await record(path, body.toString());
      outgoing.writeHead(response.statusCode ?? 502, response.headers).end(answer);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
    /** Returns the indexes, and their documents as lines of a bulk request. */
    async documents() {
      await fetch(`${target}/_refresh`, { method: 'POST' });
      const found = (await get('/_all')) as Record<
        string,
        { aliases: object; mappings: object; settings: { index: Record<string, unknown> } }
      >;
      const indexes: Record<string, object> = {};
      let lines = '';
      for (const [name, { aliases, mappings, settings }] of Object.entries(found)) {
        if (name.startsWith('.')) continue;
        const { uuid: _, creation_date: __, provided_name: ___, version: ____, ...index } = settings.index;
        indexes[name] = { aliases, mappings, settings: { index } };
        const written = documents.get(name) ?? new Map();
        const { count } = (await get(`/${name}/_count`)) as { count: number };
        if (written.size !== count)
          throw new Error(`${name} has ${count} documents, of which ${written.size} were recorded`);
        for (const [id, [action, document]] of written)
          lines += `${JSON.stringify({ index: { ...action, _index: name, _id: id } })}\n${document}\n`;
      }
      return { indexes, lines };
    },
  };
}
