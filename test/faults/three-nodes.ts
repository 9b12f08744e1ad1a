import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngines } from '#embedded/engines.ts';
import { generateSample } from '#sample/generate.ts';
import { startProcess } from '#test/api-process.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import type { Fault } from './fault.ts';
import { type Installation, onInstallation } from './installation.ts';
import { type Load, type LoadReport, startLoad } from './load.ts';

const NODES = 3;
const LISTINGS = 2_000;
/** Few, because three nodes, of which one starts, share the processors. */
const PER_SECOND = 20;
const OBSERVED_MS = 15_000;
/** After this time of a node that does not respond, no call may fail. */
const FAILURES_MS = 5_000;
const STEP_MS = 50;
const GREEN_LIMIT = 240_000;

/** Uses nodes, a database, indexes and an API process of its own. */
export const threeNodes: Fault = {
  title: 'of three OpenSearch nodes with a copy each, one is killed, and then another one stops responding',
  async happen() {
    const dataDir = await mkdtemp(join(tmpdir(), 'three-nodes-'));
    const { DATABASE_URL, S3_ENDPOINT } = process.env;
    const env = { DATABASE_URL, S3_ENDPOINT };
    const options = { dataDir, env, searchNodes: NODES, throwaway: true, restartOnCrash: true };
    const engines = await startEngines(options);
    try {
      const OPENSEARCH_URL = engines.env.OPENSEARCH_URL as string;
      const urls = OPENSEARCH_URL.split(',');
      const own = { OPENSEARCH_URL, INDEX_COPIES: String(NODES) };
      await onInstallation('three_nodes', (installation) => endNodes(installation, urls), own);
    } finally {
      await engines.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function endNodes({ dir, env, prefix, services, undo, ingest }: Installation, urls: string[]): Promise<void> {
  const until = new Date().toISOString().slice(0, 10);
  await generateSample({ dir, listings: LISTINGS, seed: 1, days: 1, until, hostUrl: 'http://127.0.0.1:9' });
  await ingest('--photos', 'assume');
  const api = await startProcess('api', { ...env, LOG_LEVEL: 'error' }, /^Serving /);
  undo.push(() => api.end('SIGTERM'));
  const { key } = await createOrganization(services, { columns: { units_per_minute: 100_000_000 } });
  const { rows } = await services.pool.query<{ id: number }>('select id from listings where served limit 1');
  const cohort = 'city=riyadh&listing_type=rent';
  const paths = [`/v1/listings?${cohort}`, `/v1/listings/${rows[0]?.id}`, `/v1/market/summary?${cohort}`];
  await becomesGreen(urls[0] as string);
  await compareCopies(urls, prefix);

  const load = startLoad({ origins: [api.url], key, paths, pace: { perSecond: PER_SECOND } });
  undo.push(load.stop);
  const [killed, frozen, third] = urls as [string, string, string];
  process.kill(await pidOf(killed), 'SIGKILL');
  const ofKilled = await observe(load);
  await becomesGreen(frozen);
  const pid = await pidOf(frozen);
  process.kill(pid, 'SIGSTOP');
  const ofFrozen = await observe(load).finally(() => process.kill(pid, 'SIGCONT'));
  await becomesGreen(third);
  const { answers, slowest } = await load.stop();
  console.log(`  ${JSON.stringify({ answers, slowest, ofKilled, ofFrozen })}`);
  if (ofKilled.failed > 0)
    throw new Error(`${ofKilled.failed} of ${ofKilled.sent} calls failed after a node was killed`);
  if (ofFrozen.lastMs > FAILURES_MS)
    throw new Error(`a call failed ${ofFrozen.lastMs} ms after a node stopped responding`);
  await compareCopies(urls, prefix);
}

/** Calls that were sent and that failed in a time, and the milliseconds until the last of them failed. */
async function observe({ report }: Load): Promise<{ sent: number; failed: number; lastMs: number }> {
  const [sent, before, begun] = [report.sent, failuresOf(report), performance.now()];
  let [failed, lastMs] = [0, 0];
  for (let ms = 0; ms < OBSERVED_MS; ms = performance.now() - begun) {
    await sleep(STEP_MS);
    const now = failuresOf(report) - before;
    if (now > failed) [failed, lastMs] = [now, Math.round(ms)];
  }
  return { sent: report.sent - sent, failed, lastMs };
}

const failuresOf = ({ answers, lost }: LoadReport): number =>
  Object.entries(answers).reduce((sum, [answer, count]) => sum + (answer === '200 ok' ? 0 : count), lost);

/** @throws Error if the copies of the listings differ */
async function compareCopies(urls: readonly string[], prefix: string): Promise<void> {
  const path = `/${prefix}listings/_search?preference=_local&size=${LISTINGS}&sort=filter.id`;
  const copies = await Promise.all(urls.map((url) => getJson<{ hits: { hits: object[] } }>(url + path)));
  if (copies[0]?.hits.hits.length === 0) throw new Error('the copies are empty');
  if (new Set(copies.map(({ hits }) => JSON.stringify(hits.hits))).size > 1) throw new Error('the copies differ');
}

/** Waits until every node has its copies. A node that starts refuses connections. */
const becomesGreen = (url: string): Promise<void> =>
  eventually(
    () =>
      getJson(`${url}/_cluster/health?wait_for_status=green&wait_for_nodes=${NODES}&timeout=5s`).then(isDone, isDone),
    GREEN_LIMIT,
    STEP_MS,
  );
const isDone = (result: unknown): boolean => !(result instanceof Error);

async function pidOf(url: string): Promise<number> {
  const { nodes } = await getJson<{ nodes: Record<string, { process: { id: number } }> }>(
    `${url}/_nodes/_local/process`,
  );
  return Object.values(nodes)[0]?.process.id as number;
}

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as T;
}
