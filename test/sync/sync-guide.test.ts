import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ExecutionContext } from 'ava';
import { canMake } from '#clients/make-clients.ts';
import { fillIndexes, repairIndexes, rollBack } from '#ingest/fill.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import type { Progress } from '#ingest/run/run-report.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { readGuides } from '#site/server/guide-pages.ts';
import { childOutput } from '#test/child-output.ts';
import { copyDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { test } from '#test/test.ts';
import { buildClients } from '../clients/build-clients.ts';
import { type OffPlanGround, offPlanGround } from '../ingest/off-plan/ground.ts';
import { ad, testSource } from '../ingest/run/pipeline.ts';

const READERS = [
  ['free', 'js'],
  ['growth', 'js'],
  ['pro', 'python'],
  ['enterprise', 'bash'],
  ['pro', 'js client'],
  ['enterprise', 'python client'],
] as const;
/** Factor by which the replenishment of units and the script's waits are shortened. */
const SPEED = 200;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Rows of a source without timestamps, which all have the same `updated_at` per run. */
const UNTIMED = 250;

let ground: OffPlanGround;
let readers: Reader[];
/** A key without limits for reading the expected search results. */
let oracle: string;

const started = Date.now();
const chargeTime = () => new Date(started + (Date.now() - started) * SPEED);

const [timed, untimed, other] = [testSource('timed'), testSource('untimed'), testSource('other')];
const sources = [timed, untimed, other];
let clock = Math.floor((started - 60 * DAY) / 1000) * 1000;
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '');

/** Filters of the copies in the programs of the guide. */
const COPIED = { city: 'jeddah', listing_type: 'sale' } as const;

/** A home for sale in Jeddah. Price, area and location differ by id, so that no two are merged. */
function home(id: string, changes: Partial<RawListing> = {}): FeedRow {
  const { raw } = ad(id) as { raw: RawListing };
  const spread = Number(raw.price) % 20_000;
  return ad(id, {
    purpose: 'sale',
    city: 'Jeddah',
    price_period: undefined,
    price: 700_000 + spread * 20,
    lat: Number(raw.lat) - 24.6 + 21.45,
    lng: Number(raw.lng) - 46.6 + 39.12,
    ...changes,
  });
}

const homes = (count: number, prefix: string, changes: Partial<RawListing> = {}): FeedRow[] =>
  Array.from({ length: count }, (_, index) => home(`${prefix}${index}`, changes));

/** A listing as the API returns it. Tests compare whole listings. */
type Row = Readonly<Record<string, unknown>> & { id: number };

const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const PYTHON = join(CLIENTS, 'tools', '.venv', 'bin', 'python');

/** Programs of the guide by the language of their block, and how a reader runs them. */
const PROGRAMS = {
  js: [process.execPath, 'sync.mjs'],
  python: ['python3', 'sync.py'],
  bash: ['bash', 'sync.sh'],
  'js client': [process.execPath, 'sync.mjs'],
  'python client': [PYTHON, 'sync.py'],
} as const;
type Language = keyof typeof PROGRAMS;
/** Commands that a program needs. Where one is missing, its programs are not tested. */
const NEEDED: Readonly<Record<Language, readonly string[]>> = {
  js: [],
  python: ['python3'],
  bash: ['curl', 'jq', 'sqlite3'],
  'js client': [],
  'python client': [PYTHON],
};
const made = canMake();
const canRun = (language: Language): boolean =>
  (language !== 'js client' || made.node) &&
  NEEDED[language].every((command) => spawnSync(command, ['--version']).status === 0);

function programOf(language: Language): string {
  const [fence, client] = language.split(' ');
  const guide = readGuides('en').find(({ slug }) => slug === (client ? 'sdks' : 'sync'));
  const blocks = [...(guide?.source ?? '').matchAll(new RegExp(`^\\x60{3}${fence}\\n([\\s\\S]*?)^\\x60{3}$`, 'gm'))];
  const program = blocks.map(([, block = '']) => block).find((block) => block.includes('sqlite'));
  if (program === undefined) throw new Error(`the guide has no program in ${language}`);
  return program;
}

/** A folder in which a reader of the guide runs a program. */
async function openReader(name: string, key: string, language: Language) {
  const folder = await mkdtemp(join(tmpdir(), 'sync-'));
  const [command, file] = PROGRAMS[language];
  await writeFile(join(folder, file), programOf(language));
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(CLIENTS, 'dist', 'typescript'), join(folder, 'node_modules', 'property-listings-client'));
  const open = () => new DatabaseSync(join(folder, 'copy.db'));
  return {
    name: `${name}, ${language}`,
    plan: name,
    language,
    /** The listings of the copy, by id. */
    listings(): Map<number, Row> {
      const db = open();
      const rows = db.prepare('select listing from listings').all() as { listing: string }[];
      db.close();
      return new Map(rows.map(({ listing }) => JSON.parse(listing) as Row).map((row) => [row.id, row]));
    },
    change(statement: string): void {
      const db = open();
      db.exec(statement);
      db.close();
    },
    /** @param killAtRequest kills a program in JavaScript instead of sending this request */
    sync(killAtRequest = 0) {
      const preload = `
        const { fetch, setTimeout } = globalThis;
        let requests = 0;
        globalThis.fetch = (...args) => {
          if (++requests === ${killAtRequest}) process.kill(process.pid, 'SIGKILL');
          return fetch(...args);
        };
        globalThis.setTimeout = (call, ms, ...args) => setTimeout(call, ms / ${SPEED}, ...args);`;
      const first = language.startsWith('js')
        ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
        : [];
      const child = spawn(command, [...first, file], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          PYTHONPATH: join(CLIENTS, 'dist', 'python'),
          API: `${ground.app.url}/v1`,
          KEY: key,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      return childOutput(child);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

type Reader = Awaited<ReturnType<typeof openReader>>;

/** All listings of the search. */
const searched = async (): Promise<ReadonlyMap<number, Row>> => {
  const path = `/v1/listings?${new URLSearchParams({ ...COPIED, limit: '100' })}`;
  return new Map((await allRows(ground.app, path, oracle)).map((row: Row) => [row.id, row]));
};

/** Runs the next ingest, half a day after the previous one. */
async function ingest(): Promise<void> {
  clock += DAY / 2;
  await ground.pipeline.run(sources, iso(clock));
  await ground.app.services.indexGuard.refresh();
}

/**
 * The part of a listing that a copy must reproduce: without fields that only change with time and, on the Free plan,
 * without the ad URL.
 */
function lasting(row: Row, plan: string): unknown {
  const { updated_at, last_seen_at, days_on_market, ...listing } = row;
  const source = listing.source as { name: string };
  return {
    ...listing,
    updated_at: source.name === untimed.name ? null : updated_at,
    source: plan === 'free' ? { ...source, listing_id: null, url: null } : source,
  };
}

/** Runs every program, and compares each copy with the search results. */
async function syncAll(t: ExecutionContext, what: string): Promise<void> {
  const shown = await searched();
  await Promise.all(
    readers.map(async (reader) => {
      const { code, errors } = await reader.sync();
      t.is(code, 0, `${what}, ${reader.name}: ${errors}`);
      await equals(t, what, reader, shown);
    }),
  );
}

/** Units of all organizations so far. */
async function charged(): Promise<number> {
  const { rows } = await ground.pipeline.pool.query(
    'select coalesce(sum(units), 0)::integer as units from unit_counters',
  );
  return rows[0].units;
}

async function equals(t: ExecutionContext, what: string, reader: Reader, shown: ReadonlyMap<number, Row>) {
  const copy = reader.listings();
  const ids = (one: ReadonlyMap<number, unknown>, two: ReadonlyMap<number, unknown>) =>
    [...one.keys()].filter((id) => !two.has(id));
  t.deepEqual(
    { missing: ids(shown, copy), gone: ids(copy, shown) },
    { missing: [], gone: [] },
    `${what}, ${reader.name}`,
  );
  for (const [id, row] of shown)
    t.deepEqual(lasting(copy.get(id) as Row, reader.plan), lasting(row, reader.plan), `${what}, ${reader.name}, ${id}`);
}

/** Ads from the source with timestamps, by id. */
const ads = new Map<string, FeedRow>();
const put = (id: string, changes: Parameters<typeof home>[1] = {}) =>
  ads.set(id, home(id, { updated_at: at(id), ...changes }));
/** Timestamps in the source's ads, all before the first run. */
const at = (id: string): string => iso(started - 70 * DAY - ((Number(/\d+/.exec(id)?.[0] ?? 0) * 7) % 100) * HOUR);
/** Updates an ad with a timestamp older than its previous one. */
const older = (id: string, price: number) => put(id, { price, updated_at: iso(Date.parse(at(id)) - 30 * DAY) });
/** Homes of a type with enough listings for a separate price fence, each with a different area. */
const mansion = (id: string, perSqm: number, area = 400) =>
  put(id, { bedrooms: 9, area, property_type: 'villa', price: Math.round(perSqm * area) });
const mansions = (perSqm: number) => {
  for (let n = 0; n < 40; n++) mansion(`mansion${n}`, perSqm + n * 2.5, 400 + n * 6);
};
const TWIN = { area: 143, floor: '2', age_years: 4, lat: 21.6123, lng: 39.2123, bedrooms: 2, price: 910_000 };

test.before(async (t) => {
  t.timeout(120_000);
  if (made.node) await buildClients();
  const clockOfCharges = { now: () => Date.now(), chargeTime };
  ground = await offPlanGround('sync-guide', [COPIED.city], { clock: clockOfCharges });
  const { services } = ground.app;
  const columns = { units_per_minute: null, units_per_month: null };
  oracle = (await createOrganization(services, { plan: 'enterprise', columns })).key;
  readers = await Promise.all(
    READERS.filter(([, language]) => canRun(language)).map(async ([plan, language]) =>
      openReader(plan, (await createOrganization(services, { plan })).key, language),
    ),
  );
  const { id } = await createOrganization(services, { plan: 'starter' });
  readers.push(await openReader('test key', await createKey(services, id, { kind: 'test' }), 'js'));
});
test.after(async () => {
  await Promise.all((readers ?? []).map((reader) => reader.close()));
  await ground?.close();
});

test('the first run of the sync script copies every listing, even if it is killed and 250 listings share one timestamp', async (t) => {
  t.timeout(120_000);
  for (let n = 0; n < 60; n++) put(`timed${n}`);
  mansions(2_500);
  // Hidden listings: below a quarter of the usual price per square meter; without a price; without photos.
  mansion('cheap', 625);
  put('priceless', { price: undefined });
  put('pending', { photos: [] });
  timed.feed = [...ads.values()];
  untimed.feed = homes(UNTIMED, 'untimed', { updated_at: undefined });
  other.feed = homes(5, 'other');
  await ingest();
  const shown = await searched();
  t.is(shown.size, 60 + 40 + UNTIMED + 5);
  t.is(new Set([...shown.values()].map(({ modified_at }) => modified_at)).size, shown.size);
  const killed = readers.filter(({ language }) => language.startsWith('js'));
  await Promise.all(killed.map(async (reader) => t.is((await reader.sync(randomInt(3, 8))).code, null)));
  await syncAll(t, 'first');
});

test('a run of the sync script without changes costs no units', async (t) => {
  const before = await charged();
  for (const reader of readers) t.is((await reader.sync()).code, 0);
  // Listings of sources without timestamps get a new timestamp; nothing else changes.
  await ingest();
  for (const reader of readers) t.is((await reader.sync()).code, 0);
  t.is(await charged(), before);
});

test('the sync script copies every way in which listings appear, change, disappear, merge and move', async (t) => {
  /** Runs the ingest after changes, then the script. */
  const copied = async (what: string, change: () => void): Promise<ReadonlyMap<number, Row>> => {
    change();
    timed.feed = [...ads.values()];
    await ingest();
    await syncAll(t, what);
    return searched();
  };
  await copied('edited', () => {
    for (let n = 0; n < 6; n++) older(`timed${n}`, 640_000 + n * 1_000);
    for (let n = 6; n < 12; n++) ads.delete(`timed${n}`);
    put('added', { updated_at: iso(started - 100 * DAY) });
    put('twin', TWIN);
    put('pending');
    put('priceless', { price: 777_000 });
    put('timed30', { city: 'Riyadh', lat: 24.7, lng: 46.7 });
    put('timed31', { purpose: 'rent', price_period: 'yearly', price: 50_000 });
  });
  const { id: twin } = await ground.pipeline.listing('timed', 'twin');
  const { id: cheap } = await ground.pipeline.listing('timed', 'cheap');
  const shown = await copied('relisted, merged, shown', () => {
    put('timed6');
    older('timed8', 655_000);
    ads.delete('timed20');
    other.feed = [...homes(5, 'other'), home('twin2', TWIN)];
    mansions(1_750);
  });
  t.deepEqual(shown.get(twin)?.also_listed_on, ['other']);
  t.true(shown.has(cheap), 'other prices moved the fence');
  const later = await copied('split, hidden', () => {
    other.feed = [...homes(5, 'other'), home('twin2', { ...TWIN, floor: '7', area: 188, bedrooms: 4 })];
    mansions(2_500);
  });
  t.deepEqual(later.get(twin)?.also_listed_on, []);
  t.false(later.has(cheap));
  // Two visible listings are merged.
  await copied('merged again', () => {
    other.feed = [...homes(5, 'other'), home('twin2', TWIN)];
  });
});

test('the sync script reads all listings again after 28 days, and drops those that are gone', async (t) => {
  for (const reader of readers) {
    const [language, client] = reader.language.split(' ') as ['js' | 'python' | 'bash', string?];
    const day = { js: DAY, python: DAY / 1_000, bash: 1 }[language];
    const [column, state] = client
      ? ['began', `state = json_set(state, '$.began', json_extract(state, '$.began') - 28.1 * ${day})`]
      : ['read_at', `began = began - 28.1 * ${day}`];
    reader.change(`update state set ${state}; update listings set ${column} = ${column} - 29 * ${day};
      insert into listings select -1, listing, ${column} from listings limit 1`);
  }
  await syncAll(t, 'after 28 days');
});

test('the sync script copies every change during ingest runs, even if script and ingest are stopped', async (t) => {
  t.timeout(180_000);
  for (const [round, stopAt] of (['fetch', 'index'] as const).entries()) {
    for (let n = 0; n < 40; n++) {
      const id = `timed${n}`;
      if ((n + round) % 5 === 0) ads.delete(id);
      else if ((n + round) % 3 === 0) older(id, 600_000 + randomInt(300_000));
      else if (!ads.has(id)) put(id);
    }
    put(`late${round}`);
    mansions(round % 2 === 0 ? 1_750 : 2_500);
    timed.feed = [...ads.values()];
    other.feed = [...homes(5, 'other'), home('twin2', round % 2 === 0 ? { ...TWIN, bedrooms: 4, area: 188 } : TWIN)];
    let running = true;
    // The script runs continuously and is sometimes killed.
    // The Python client takes seconds to start.
    const reading = Promise.all(
      readers
        .filter(({ language }) => language !== 'python client')
        .map(async (reader, at) => {
          for (let time = at; running && time < at + 2; time++) {
            const { code, errors } = await reader.sync(time % 3 === 0 ? randomInt(1, 4) : 0);
            if (code !== null) t.is(code, 0, `${reader.name}: ${errors}`);
          }
        }),
    );
    const stop = new AbortController();
    const onProgress = ({ stage }: Progress) => {
      if (stage !== stopAt) return;
      stop.abort(new Error('stopped'));
      throw stop.signal.reason;
    };
    const stopped = ground.pipeline.run(sources, iso(clock + DAY / 2), { signal: stop.signal, onProgress });
    await t.throwsAsync(stopped, { message: 'stopped' });
    await ingest();
    running = false;
    await reading;
    await syncAll(t, `stopped at ${stopAt}`);
  }
});

test('the sync script copies every change through a fill, a rollback and a restore of Postgres', async (t) => {
  t.timeout(180_000);
  const { pipeline, app } = ground;
  const { databaseUrl } = pipeline;
  const request = { pool: pipeline.pool, listingIndex: pipeline.index };
  const edit = async (id: string, price: number): Promise<void> => {
    older(id, price);
    timed.feed = [...ads.values()];
    await ingest();
  };
  await edit('timed1', 811_000);
  await fillIndexes(['listings'], request);
  await app.services.indexGuard.refresh();
  await syncAll(t, 'filled');

  await edit('timed2', 812_000);
  await rollBack(request);
  await app.services.indexGuard.refresh();
  await syncAll(t, 'rolled back');

  const database = new URL(databaseUrl).pathname.slice(1);
  await copyDatabase(databaseUrl, `${database}_backup`, database);
  await edit('timed3', 813_000);
  await syncAll(t, 'after the backup');
  await copyDatabase(databaseUrl, database, `${database}_backup`);
  // The price of `timed3` is that of the backup until the feed states it again.
  await withWriter(pipeline.pool, 'a test', (writer) => repairIndexes({ ...request, writer }));
  await app.services.indexGuard.refresh();
  await syncAll(t, 'restored');
  await edit('timed4', 814_000);
  await syncAll(t, 'after the restore');
});
