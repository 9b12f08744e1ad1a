import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Table from 'cli-table3';
import type pg from 'pg';
import { openServices } from '#app/open-services.ts';
import { type Ingest, openIngest } from '#app/workers/open-ingest.ts';
import { openOfficial } from '#app/workers/open-official.ts';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import { messageOf } from '#domain/message-of.ts';
import { writePrivately } from '#domain/process/files.ts';
import { choosePorts } from '#domain/process/ports.ts';
import { startEngines } from '#embedded/engines.ts';
import { sourceTable } from '#ingest/run/report-text.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { startSampleHost } from '#sample/host.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { DEMO_KEYS, DEMO_OWNER, type DemoKeys, seedDemo } from '#src/accounts/demo.ts';
import { rehashKey } from '#src/accounts/key-store.ts';
import type { Config } from '#src/config.ts';
import { createLogger } from '#src/observability/logger.ts';
import type { Services } from '#src/services.ts';
import { createOperatorLink } from '#src/sign-in/links.ts';
import type { OutdatedIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Start } from './cleanup.ts';
import { configure, demoSettings, SAMPLE_PLACES } from './configure.ts';
import { seedDemoUsage } from './demo-usage.ts';
import { serveHttp } from './http.ts';
import { ensureSample, ingestSample, loaded, officialSampleDir, publishSampleRelease } from './ingest-sample.ts';
import { openLogFile } from './log-file.ts';
import { serveMetrics } from './metrics.ts';
import { checkPorts } from './ports.ts';
import { showRuns } from './run-progress.ts';
import { reindex } from './run-reindex.ts';
import type { Screen } from './screen.ts';
import { prepareStores } from './stores.ts';
import { followSynonyms } from './synonyms.ts';
import { sayPrivateHosts, startWorkers } from './workers.ts';

/** Starts engines that are not configured, the sample, API and workers. */
export async function startAll(start: Start): Promise<void> {
  const { screen, cleanup, signal } = start;
  const early = configure(start.env, NOT_STARTED_YET);
  await checkPorts(early);
  const dataDir = resolve(start.env.DATA_DIR || '.data');
  await mkdir(join(dataDir, 'logs'), { recursive: true });

  const sampleHost = early.feeds.dir === null ? await chooseSampleHost(dataDir) : null;
  const known = await readDemoKeys(dataDir);
  const [engines, sample] = await screen.step(
    `Starting OpenSearch, Postgres and S3${sampleHost ? ', and writing the sample' : ''}`,
    () =>
      Promise.all([
        // Loading the sample takes 13 seconds longer with the full compiler.
        openEngines(start, dataDir, sampleHost !== null && Object.keys(known).length === 0),
        sampleHost && ensureSample({ ...sampleHost, since: early.historyStart, now: new Date(), signal }),
      ]),
  );
  const settings = {
    ...demoSettings(start.env),
    ...(sampleHost === null || start.env.PLACES_FILE !== undefined ? {} : SAMPLE_PLACES),
  };
  const config = configure({ ...start.env, ...engines.env }, settings);
  const outdated = await screen.step('Preparing the database and the indexes', () =>
    prepareStores(config, { upgrade: true }),
  );
  signal.throwIfAborted();
  const upgrade = () => reindex(config, ['listings'], { screen, signal });
  if (outdated) screen.say(describeUpgrade(outdated));
  if (outdated && !outdated.readable) await upgrade();

  // The terminal shows progress; logs go next to those of the engines.
  const logFile = join(dataDir, 'logs', 'service.log');
  const log = await openLogFile(logFile);
  const logger = createLogger(config.logLevel, log);
  cleanup.add('writing the log', log.close);
  const opened = await openServices(config, { logger });
  cleanup.add('closing the stores', opened.close);
  const { services } = opened;
  await serveMetrics(services, cleanup);
  await followSynonyms(services, cleanup);

  const { pool, random } = services;
  for (const key of Object.values(known))
    await rehashKey(pool, { pepper: config.keyPepper, oldPepper: config.oldKeyPepper }, key);
  const keys = await seedDemo(pool, config.keyPepper, random, known);
  if (sample) await seedDemoUsage(services, keys);
  signal.throwIfAborted();

  // With an operator's feeds, pages use a test key.
  const serve = () => serveHttp({ ...services, demoKey: sample ? keys.pro : keys.test }, cleanup);
  if (outdated?.readable) {
    await serve();
    screen.say(`Serving ${config.baseUrl}`);
    await upgrade();
  }
  const ingest = await openIngest(config, await openFeeds(start, config, sampleHost));
  cleanup.add('closing the pipeline', ingest.close);
  const official = openOfficial(config);
  cleanup.add('closing official data', official.close);
  if (sample) {
    // Both mostly wait for the engines.
    await Promise.all([
      ingestSample(sample, ingest, pool, screen, signal),
      official.import(officialSampleDir(sample.dir), { signal }),
    ]);
    await opened.refresh();
    await publishSampleRelease(config, new Date(), screen);
  } else await ingestFirst(ingest, pool, screen, signal);
  const officialDir = config.officialDir ?? (sample ? officialSampleDir(sample.dir) : null);
  await startWorkers(services, { ingest, official, officialDir }, cleanup);
  signal.throwIfAborted();
  if (!outdated?.readable) await serve();
  const link = await linkOfOwner(services);
  await writeDemoFile(dataDir, { base_url: config.baseUrl, site_url: config.siteUrl, sign_in_url: link, keys });
  const [notes, market] = [await planNotes(pool), await largestMarket(pool)];
  screen.say(summary(config, keys, link, notes, sample ? await loaded(pool) : null, market));
  if (start.env.WEBHOOK_PRIVATE_HOSTS) sayPrivateHosts(config, screen);
  screen.say(`The same is in ${join(dataDir, 'demo.json')}; the log is ${logFile}. Ctrl-C stops everything.`);
}

/** Null without the site. */
const linkOfOwner = async ({ pool, random, config }: Services): Promise<string | null> => {
  const making = { random, pepper: config.keyPepper, now: new Date() };
  return config.hasSite ? createOperatorLink(pool, making, config.siteUrl, DEMO_OWNER) : null;
};

async function openEngines({ env, signal, screen, fail, cleanup }: Start, dataDir: string, quickStart: boolean) {
  const { say } = screen;
  const engines = await startEngines({ dataDir, env, signal, say, onCrash: fail, restartOnCrash: true, quickStart });
  cleanup.add('stopping the engines', engines.stop, 60_000);
  return engines;
}

function describeUpgrade({ index, version, readable }: OutdatedIndex): string {
  const how = version < LISTING_DOCUMENT_VERSION ? 'upgraded to' : 'filled again in';
  const meanwhile = readable ? 'It serves requests meanwhile.' : 'Requests are served when that is done.';
  return `Index ${index} holds documents of version ${version} and is ${how} version ${LISTING_DOCUMENT_VERSION}. ${meanwhile}`;
}

type SampleHost = Awaited<ReturnType<typeof chooseSampleHost>>;

/** Feeds contain the URL of the host, so its port must not change. */
async function chooseSampleHost(dataDir: string) {
  const { sample: port } = await choosePorts(join(dataDir, 'ports.json'), ['sample']);
  return { dir: join(dataDir, 'sample'), port, hostUrl: `http://127.0.0.1:${port}` };
}

/** Starts the host of the sample unless feeds are configured. */
async function openFeeds({ cleanup }: Start, config: Config, sampleHost: SampleHost | null): Promise<FeedSettings> {
  const { dir, hostUrl } = config.feeds;
  const sources = SAMPLE_SOURCES;
  if (dir !== null) return { dataDir: dir, photoHostUrl: hostUrl ?? undefined, sources };
  if (sampleHost === null) throw new Error('there are no feeds');
  const host = await startSampleHost(sampleHost.port);
  cleanup.add('closing the sample host', host.close);
  return { dataDir: sampleHost.dir, photoHostUrl: host.url, archive: true, sources };
}

/** Placeholders, so that other variables are checked before engines start. */
const NOT_STARTED_YET = Object.fromEntries(
  ['OPENSEARCH_URL', 'DATABASE_URL', 'S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'KEY_PEPPER'].map(
    (name) => [name, 'http://not-started.invalid/placeholder'],
  ),
);

/** Content of `demo.json`, for scripts that use a running installation. */
export interface DemoFile {
  base_url: string;
  site_url: string;
  /** Signs the owner of the demo team in once, within 24 hours. Null without the site. */
  sign_in_url: string | null;
  keys: DemoKeys;
}

const NAME = 'demo.json';

/** Returns the keys of an earlier start. */
async function readDemoKeys(dataDir: string): Promise<Partial<DemoKeys>> {
  try {
    const { keys } = JSON.parse(await readFile(join(dataDir, NAME), 'utf8')) as { keys: Record<string, unknown> };
    return Object.fromEntries(
      DEMO_KEYS.filter((name) => typeof keys[name] === 'string').map((name) => [name, keys[name]]),
    );
  } catch {
    // If the file is missing or invalid, new keys are created.
    return {};
  }
}

function writeDemoFile(dataDir: string, demo: DemoFile): Promise<void> {
  return writePrivately(join(dataDir, NAME), `${JSON.stringify(demo, null, 2)}\n`);
}

/** Ingests feeds before requests are served. Later runs start in the worker. */
async function ingestFirst(ingest: Ingest, pool: pg.Pool, screen: Screen, signal: AbortSignal): Promise<void> {
  if (ingest.sources.length === 0 || !(await isFirst(pool, ingest.sources))) return;
  const runs = showRuns(screen, 'Ingesting the feeds', ingest.sources);
  try {
    const report = await runs.track((onProgress) => ingest.run({ trigger: 'first', onProgress, signal }));
    runs.end();
    screen.say(sourceTable(report.sources));
    for (const [source, reason] of Object.entries({ ...report.stale, ...report.held, ...report.failed }))
      screen.say(`${source}: ${reason}`);
  } catch (error) {
    signal.throwIfAborted();
    // The worker resumes the run.
    screen.say(`Ingesting failed: ${messageOf(error)}`);
  } finally {
    runs.end();
  }
}

async function isFirst(pool: pg.Pool, sources: readonly string[]): Promise<boolean> {
  return !(await sql.hasRows(pool, `from ingest_runs where status = 'completed' and sources && $1::text[]`, [sources]));
}

function summary(
  config: Config,
  keys: DemoKeys,
  signInUrl: string | null,
  notes: ReadonlyMap<string, string>,
  loaded: string | null,
  market: Market,
): string {
  const table = new Table({ head: ['Plan', 'Demo key', 'Limits'], style: { head: [], border: [] } });
  for (const [name, key] of Object.entries(keys)) table.push([name, key, notes.get(name) ?? '']);
  return [
    '',
    table.toString(),
    ...(loaded === null ? [] : ['', loaded]),
    '',
    `API        ${config.baseUrl}`,
    `Site       ${config.siteUrl}`,
    `OpenAPI    ${config.baseUrl}/openapi.json`,
    ...(signInUrl === null
      ? []
      : [`Console    ${signInUrl}  (${DEMO_OWNER}, owner of Demo pro; once, within 24 hours)`]),
    '',
    'Try it:',
    '',
    `curl -s -H 'Authorization: Bearer ${keys.pro}' '${config.baseUrl}/listings?city=${market.city}&listing_type=${market.listing_type}&limit=2'`,
    '',
  ].join('\n');
}

const MARKET = { city: sql.text, listing_type: sql.text };
type Market = sql.RowOf<typeof MARKET>;

/** The market with the most visible listings, so that a first request finds some. */
async function largestMarket(pool: pg.Pool): Promise<Market> {
  const market = await sql.queryRow(
    pool,
    MARKET,
    `select city, listing_type from listings where served and price is not null and plausible_pooled
      group by city, listing_type order by count(*) desc, city = 'riyadh' desc, city, listing_type limit 1`,
  );
  return market ?? { city: 'riyadh', listing_type: 'rent' };
}

async function planNotes(pool: pg.Pool): Promise<Map<string, string>> {
  const rows = await sql.queryRows(
    pool,
    { name: sql.text, minute: sql.nullable(sql.integer), page: sql.integer },
    'select name, units_per_minute as minute, page_size as page from plans order by rank',
  );
  const notes = new Map(
    rows.map(({ name, minute, page }) => [name, `${minute ?? 'any number of'} units a minute, pages of ${page}`]),
  );
  notes.set('test', 'for tests of an integration');
  notes.set('admin', 'organization endpoints only');
  return notes;
}
