// Implements `npm run test:faults`. Injects one fault after another into `npm start` and a second API node under load,
// and compares responses with charges. Arguments select faults by part of their name, or leave one out (`--without=NAME`).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { openServices } from '#app/open-services.ts';
import { monthOf } from '#domain/months.ts';
import { PRICES } from '#src/metering/prices.ts';
import { readStatement, readStatementLines } from '#src/metering/statements.ts';
import type { Services } from '#src/services.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization, type OrganizationOptions } from '#test/factories.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { copies, waitingCopies } from './copies.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { Fault, Node } from './fault.ts';
import { INDEX_FAULTS, statusOf } from './index-faults.ts';
import { writeLandFeed } from './land-feed.ts';
import { type LoadReport, startLoad } from './load.ts';
import { overload } from './overload.ts';
import { postgresRestored } from './postgres-restored.ts';
import { signalEngine, startMain, startNode } from './processes.ts';
import { rollingUpgrade } from './rolling-upgrade.ts';
import { threeNodes } from './three-nodes.ts';
import { visitors } from './visitors.ts';

/** Calls per second of the load, unless the machine is too busy for them. */
const PER_SECOND = 60;
const WARM_UP_ROUNDS = 20;
/** Maximum response time in milliseconds. */
const MAX_RESPONSE_MS = 10_000;
/**
 * Time in milliseconds within which all calls must succeed again, and time within which all charges must be settled. On
 * a busy machine, OpenSearch takes two minutes to start.
 */
const RECOVERY_LIMIT = 300_000;
const SETTLE_LIMIT = 60_000;
/** Units of the most expensive calls in the load. */
const MAX_UNITS = Math.max(PRICES.comparables.units, PRICES.trends.units);
/** Maximum units of charges whose response was lost: that of Postgres, or that of a killed node. */
const MAX_UNANSWERED_UNITS = 20;
/** Maximum loss of metering data in a Postgres crash, in seconds: three times `wal_writer_delay`. */
const CRASH_LOSS_SECONDS = 0.6;

/** Responses documented for an unavailable datastore. Any other response during a fault is a defect. */
const EXPECTED = new Set(['200 ok', '503 internal_error']);

/** More than a load has operations and days. */
const MAX_LINES = 1_000;

interface Row {
  title: string;
  report: LoadReport;
  /** Units charged and units in usage reports, each minus the units of successful responses. */
  charged: number;
  used: number;
  faults: string[];
}

const WITHOUT = '--without=';
const wanted = process.argv.slice(2).filter((part) => !part.startsWith(WITHOUT));
const unwanted = process.argv.slice(2).flatMap((part) => (part.startsWith(WITHOUT) ? part.slice(WITHOUT.length) : []));
const say = (line: string) => console.log(line);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const begun = performance.now();
const undo: (() => Promise<unknown>)[] = [];
const rows: Row[] = [];
try {
  await run(readFaults());
} catch (error) {
  if (!stopping.signal.aborted) throw error;
} finally {
  for (const step of undo.reverse()) await step().catch((error: unknown) => say(`While stopping: ${String(error)}`));
}
say(`Faults took ${((performance.now() - begun) / 1_000).toFixed(1)} s.`);
const found = rows.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`));
for (const line of found) say(line);
process.exit(found.length > 0 ? 1 : 0);

function readFaults(): Fault[] {
  const all = Object.entries({
    ...ENGINE_FAULTS,
    ...INDEX_FAULTS,
    copies,
    'waiting-copies': waitingCopies,
    overload,
    'postgres-restored': postgresRestored,
    'rolling-upgrade': rollingUpgrade,
    'three-nodes': threeNodes,
    visitors,
  });
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  const chosen = all.filter(([name]) => isWanted(name) && !unwanted.includes(name));
  if (chosen.length === 0)
    throw new Error(`No fault is named ${wanted.join(' or ')}. Names: ${all.map(([name]) => name).join(', ')}.`);
  return chosen.map(([, fault]) => fault).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

async function run(faults: readonly Fault[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'faults-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  say('Starting `npm start` ...');
  await writeLandFeed(join(dataDir, 'feeds'), 200);
  const main = await startMain(dataDir);
  undo.push(() => main.end('SIGTERM'));
  Object.assign(process.env, JSON.parse(await readFile(join(dataDir, 'engines.json'), 'utf8')));
  const otherNode = await startTcpProxy(new URL(process.env.OPENSEARCH_URL as string));
  undo.push(otherNode.close);
  const urls = `${process.env.OPENSEARCH_URL},http://127.0.0.1:${otherNode.port}`;
  const second = await startNode('api', { ...process.env, OPENSEARCH_URL: urls }, /^Serving /);
  undo.push(() => second.end('SIGTERM'));

  const { services, close } = await openServices(testConfig({ INDEX_PREFIX: '' }));
  undo.push(close);
  // The id is read from Postgres, because data that exists only in an index is lost in a rebuild.
  const { rows: listings } = await services.pool.query<{ id: number }>('select id from listings where served limit 1');
  const Bucket = services.config.s3.cdnBucket;
  await services.s3.send(new PutObjectCommand({ Bucket, Key: 'fault/photo.png', Body: 'a photo' }));
  const search = '/v1/listings?city=riyadh&listing_type=sale';
  const subject = `/v1/listings/${listings[0]?.id}`;
  const cohort = 'city=riyadh&listing_type=sale';
  const paths = [
    search,
    `${search}&limit=25`,
    `${search}&limit=25&area_min=450`,
    subject,
    // These operations run several searches sequentially.
    `${subject}/comparables`,
    `${subject}/market-position`,
    `/v1/market/trends?${cohort}`,
    `/v1/market/summary?${cohort}`,
    '/cdn/fault/photo.png',
  ];
  const plan = 'enterprise';
  const capacity = await warmUp([main, second], paths, (await createOrganization(services, { plan })).key);
  // Half of what is served one after another leaves room for the flood.
  const perSecond = Math.min(PER_SECOND, Math.ceil(capacity / 2));
  say(`The load is ${perSecond} calls per second.`);
  const organization = (ofPlan: OrganizationOptions['plan'] = plan) =>
    createOrganization(services, {
      plan: ofPlan,
      columns: { units_per_minute: 100_000_000, units_per_month: 1_000_000_000 },
    });
  const stage = {
    dataDir,
    perSecond,
    key: (await createOrganization(services, { plan })).key,
    main,
    second,
    otherNode,
    organization,
    unitsOf: async ({ id }: { id: number }) => (await countUnits(services, id)).charged,
    signal: (engine: Parameters<typeof signalEngine>[1], signal: NodeJS.Signals) =>
      signalEngine(dataDir, engine, signal),
  };
  for (const fault of faults) {
    if (stopping.signal.aborted) return;
    say(`${fault.title} ...`);
    const { id, key } = await organization();
    const origins = [main.url, second.url];
    const load = startLoad({ origins, key, paths, pace: { perSecond } });
    await sleep(2_000);
    const failures: string[] = [];
    await fault.happen({ ...stage, load }).catch((error: Error) => failures.push(error.message));
    await recovered([main, second], key, paths);
    await sleep(1_000);
    const report = await load.stop();
    const row = await settle(fault, report, () => countUnits(services, id));
    row.faults.push(...failures, ...(await statementFaults(services, id)));
    rows.push(row);
    say(`  ${JSON.stringify({ ...report, charged: row.charged, used: row.used })}`);
  }
}

/** Returns the units charged to an organization, and the units in its usage report. */
async function countUnits({ pool }: Services, id: number): Promise<{ charged: number; used: number }> {
  const { rows } = await pool.query<{ charged: number; used: number }>(
    `select coalesce((select sum(units) from unit_counters where subject = 'organization' and subject_id = $1), 0)::bigint as charged,
            coalesce((select sum(units) from usage_days where organization_id = $1), 0)::bigint as used`,
    [id],
  );
  return rows[0] as { charged: number; used: number };
}

/** The lines of the statement must have the units of usage, and its bill those of the charge. */
async function statementFaults(services: Services, id: number): Promise<string[]> {
  const { charged, used } = await countUnits(services, id);
  const month = monthOf(Date.now());
  const lines = await readStatementLines(services.pool, id, month, MAX_LINES, null);
  const lined = lines.reduce((sum, { units }) => sum + units, 0);
  const { units } = await readStatement(services.pool, id, month);
  return lined === used && units === charged
    ? []
    : [`a statement of ${lined} and ${units} units, of which ${used} were recorded and ${charged} charged`];
}

/**
 * Sends requests one after another before the measurement, because the first searches on a restarted engine are slow.
 * @returns calls per second in the second half
 */
async function warmUp(nodes: readonly Node[], paths: readonly string[], key: string): Promise<number> {
  let begun = 0;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    if (round === WARM_UP_ROUNDS / 2) begun = performance.now();
    for (const { url } of nodes) for (const path of paths) await statusOf(url + path, key);
  }
  return ((WARM_UP_ROUNDS / 2) * nodes.length * paths.length * 1_000) / (performance.now() - begun);
}

/** Waits until both nodes are running and every kind of call succeeds. */
async function recovered(nodes: readonly Node[], key: string, paths: readonly string[]): Promise<void> {
  for (const node of nodes) await node.ensure();
  const probes = nodes.flatMap(({ url }) => ['/readyz', ...paths.slice(-1)].map((path) => url + path));
  for (const deadline = Date.now() + RECOVERY_LIMIT; ; await sleep(250)) {
    const answers = await Promise.all(probes.map((url) => statusOf(url, key).catch(() => 0)));
    if (answers.every((status) => status === 200)) return;
    if (Date.now() > deadline) throw new Error(`not recovered: ${answers.join(', ')}`);
  }
}

/** Waits until late statements and usage are written. @returns the results of the load */
async function settle(
  fault: Fault,
  report: LoadReport,
  count: () => Promise<{ charged: number; used: number }>,
): Promise<Row> {
  const unanswered = fault.loses ? MAX_UNANSWERED_UNITS : 0;
  const uncharged = fault.loses === 'moments' ? Math.ceil(CRASH_LOSS_SECONDS * PER_SECOND * MAX_UNITS) : 0;
  for (const deadline = Date.now() + SETTLE_LIMIT; ; await sleep(250)) {
    // On a busy machine, Postgres may still be starting.
    const counted = await count().catch((error: unknown) => {
      if (Date.now() > deadline) throw error;
    });
    if (!counted) continue;
    const { charged, used } = counted;
    const row = { title: fault.title, report, charged: charged - report.units, used: used - report.units };
    const faults: string[] = [];
    if (row.charged > unanswered || row.charged < -uncharged) faults.push(`drift of ${row.charged} units in charges`);
    // Usage may differ after a process was killed, because its buffered request log is lost.
    if (row.used !== 0 && (!fault.loses || fault.loses === 'responses'))
      faults.push(`drift of ${row.used} units in usage`);
    if (faults.length > 0 && Date.now() < deadline) continue;
    if (report.lost > 0 && fault.loses !== 'calls')
      faults.push(`${report.lost} calls without a response (${[...report.losses].join(', ')})`);
    if (report.slowest > MAX_RESPONSE_MS) faults.push(`a response after ${(report.slowest / 1000).toFixed(1)} s`);
    for (const answer of Object.keys(report.answers)) {
      if (!EXPECTED.has(answer) || (fault.spares === 'load' && answer !== '200 ok')) faults.push(`answers ${answer}`);
    }
    return { ...row, faults };
  }
}
