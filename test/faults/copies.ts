import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { isoMicros } from '#domain/timestamps.ts';
import * as sql from '#stores/postgres/rows.ts';
import { startProcess } from '#test/api-process.ts';
import { copyDatabase, copyUsedDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { Consumer, differences, digests, generator, type Row } from '../sync/consumer.ts';
import type { Fault, Node } from './fault.ts';
import { CLI, type Installation, onInstallation } from './installation.ts';
import { land, writeFeed } from './land-feed.ts';
import { startNode } from './processes.ts';

/** Changes of ads in all, at least. The goal of the law is 1,000,000. */
const CHANGES = Number(process.env.CHANGES ?? 3_000);
const ADS = Math.min(10_000, Math.max(500, Math.round(CHANGES / 10)));
/** Changes of a feed in a round. */
const FEED_CHANGES = Math.min(ADS / 2, 5_000);
const ROUNDS = CHANGES < 10_000 ? 12 : 20;
const BACKUP_ROUND = Math.floor(ROUNDS / 2);
const RESTORED_ROUND = BACKUP_ROUND + 1;
/** In a bulk round, several runs change most ads. In others, ads of the feed change. */
const isBulk = (round: number): boolean => round % 3 === 2 && round !== RESTORED_ROUND;
const BULK_ROUNDS = Array.from({ length: ROUNDS }, (_, round) => round).filter(isBulk).length;
const BULK_RUNS = Math.max(2, Math.ceil((CHANGES - (ROUNDS - BULK_ROUNDS) * FEED_CHANGES) / (0.9 * ADS * BULK_ROUNDS)));
/** Processes are killed within this time in milliseconds. */
const KILL_LIMIT = 3_000 + ADS;
/** Rows of a page of one consumer and of the search. */
const PAGE = Math.min(1_000, ADS / 5);
const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
const BACKUP = 'fault_copies_backup';
const CALL_LIMIT = 30_000;
/** Milliseconds for which a call or command is retried, while nodes restart and a killed process holds the lock. */
const RETRY_LIMIT = 120_000;
const COMMAND_LIMIT = 600_000;
/** A copy notices a restore when its position is ahead, and again when the repair begins another sequence. */
const MAX_RESTARTS = 2;
const UNLIMITED = { plan: 'enterprise', columns: { units_per_minute: null, units_per_month: null } } as const;
const BULK = join(import.meta.dirname, 'bulk-process.ts');

/**
 * Runs a program with arguments.
 * @param killAfterMs kills it after a time
 * @returns its output
 * @throws Error if it fails otherwise
 */
async function command({ env }: Installation, args: readonly string[], killAfterMs?: number): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (data) => output.push(String(data)));
  child.stderr.on('data', (data) => errors.push(String(data)));
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? COMMAND_LIMIT);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (code !== 0 && killAfterMs === undefined) throw new Error(`${args.join(' ')}: ${errors.join('').slice(-800)}`);
  return output.join('');
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + RETRY_LIMIT; ; await sleep(500))
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
}

/** Calls nodes in turn until one responds with the result or a refusal of the call. */
function client(nodes: readonly Node[], key: string) {
  let at = 0;
  return async (path: string) => {
    for (const deadline = Date.now() + RETRY_LIMIT; ; await sleep(100)) {
      const { url } = nodes[at++ % nodes.length] as Node;
      const headers = { Authorization: `Bearer ${key}` };
      const response = await fetch(url + path, { headers, signal: AbortSignal.timeout(CALL_LIMIT) }).catch(() => null);
      const text = await response?.text().catch(() => null);
      if (response && text && response.status < 500 && response.status !== 429)
        return { status: response.status, body: JSON.parse(text) };
      if (Date.now() > deadline) throw new Error(`${path}: no response, last ${response?.status} ${text}`);
    }
  };
}

/**
 * All listings of the search. Pages of nodes whose watermark is older are repeated, because they end there; after the
 * last page within the paging depth, the search continues at its watermark.
 */
async function searched(get: ReturnType<typeof client>, watermark: string): Promise<Iterable<Row>> {
  const rows = new Map<number, Row>();
  const search = `/v1/listings?city=riyadh&listing_type=sale&sort=modified_asc&limit=${PAGE}`;
  for (let more: string | null = ''; more !== null; ) {
    const { status, body } = await get(search + more);
    if (status !== 200) throw new Error(`search: ${status} ${JSON.stringify(body)}`);
    const { next_cursor: next, watermark: until, result_window_reached: isEnd } = body.pagination;
    if (until < watermark && !isEnd) {
      await sleep(100);
      continue;
    }
    for (const row of body.data as Row[]) rows.set(row.id, row);
    if (isEnd) more = `&modified_since=${encodeURIComponent(until)}`;
    else more = next === null ? null : `&cursor=${next}`;
  }
  return rows.values();
}

/**
 * A feed whose ads change: another price, none, removed, listed again. The level of prices moves, so that the bounds of
 * plausible prices hide and show expensive ads that do not change.
 */
function changingFeed(random: (below: number) => number) {
  const raisedAt = (level: number) => (random(12) === 0 ? 3 + random(200) / 100 : level + random(100) / 1_000);
  const ads = Array.from({ length: ADS }, (_, at) => ({ at, raised: raisedAt(1), isListed: true, isPriced: true }));
  let changes = 0;
  return {
    changes: () => changes,
    change(round: number): void {
      for (const ad of ads) {
        if (random(ADS) >= FEED_CHANGES) continue;
        changes++;
        const kind = random(24);
        if (kind === 0) ad.isListed = !ad.isListed;
        else if (kind === 1) ad.isPriced = !ad.isPriced;
        else ad.raised = raisedAt(round % 2 === 0 ? 1.2 : 0.8);
      }
    },
    lines: (): string[] =>
      ads.flatMap(({ at, raised, isListed, isPriced }) => {
        if (!isListed) return [];
        const line = land(`c${at}`, at, raised);
        return isPriced ? line : JSON.stringify({ ...JSON.parse(line), price: '' });
      }),
  };
}

/** Fields that differ, with both values. */
function fieldsOf(copy: Row | undefined, row: Row | undefined): string {
  if (!copy || !row) return copy ? 'the copy alone' : 'the search alone';
  const names = Object.keys({ ...copy, ...row });
  const texts = names.map((name) => [name, JSON.stringify(copy[name]), JSON.stringify(row[name])] as const);
  return texts.flatMap(([name, own, other]) => (own === other ? [] : `${name}: ${own}, not ${other}`)).join('; ');
}

/** Keeps copies up to date until it is stopped. */
function follow(consumers: readonly Consumer[]): { stop(): Promise<unknown> } {
  let isRunning = true;
  const reading = Promise.all(
    consumers.map(async (consumer) => {
      for (; isRunning; await sleep(50)) await consumer.sync();
    }),
  );
  // Reported when it is stopped.
  reading.catch(() => {});
  return {
    stop() {
      isRunning = false;
      return reading;
    },
  };
}

export const copies: Fault = {
  title: `copies of ${CHANGES} changes, with killed runs, fills and nodes, a rollback and a restore`,
  happen: () =>
    onInstallation('fault_copies', async (own) => {
      const { dir, env, server, database, services, undo } = own;
      const random = generator(SEED);
      const cli = (...args: string[]) => [CLI, ...args, '--json'];
      const ingest = () => repeated(() => command(own, cli('ingest')));
      /** Kills a process, and lets another complete what it began. */
      const interrupted = async (args: readonly string[]): Promise<string> => {
        const begun = await command(own, args, 500 + random(KILL_LIMIT));
        return begun + (await repeated(() => command(own, args)));
      };
      // Listings contain the address of the site, which is by default that of the node.
      const site = { ...env, SITE_URL: 'http://listings.example' };
      const nodes = [await startNode('api', site, /^Serving /), await startNode('api', site, /^Serving /)];
      for (const node of nodes) undo.push(() => node.end('SIGKILL'));
      const columns = { ...UNLIMITED.columns, page_size: PAGE };
      const get = client(nodes, (await createOrganization(services, { ...UNLIMITED, columns })).key);
      const consumers = [
        new Consumer(get, { limit: `${PAGE}` }),
        new Consumer(get, { limit: `${0.4 * PAGE}`, city: 'riyadh', listing_type: 'sale' }),
      ];
      const begun = performance.now();
      let listings = 0;
      const compare = async (what: string): Promise<void> => {
        const { rows } = await services.pool.query<{ watermark: number }>('select watermark from modification_clock');
        const found = new Map(
          [...(await searched(get, isoMicros(rows[0]?.watermark ?? 0)))].map((row) => [row.id, row]),
        );
        const expected = digests(found.values());
        listings = expected.size;
        if (listings < ADS / 3) throw new Error(`${what}: the search returns only ${listings} listings`);
        for (const [at, consumer] of consumers.entries()) {
          await consumer.sync();
          const wrong = differences(digests(consumer.copy.values()), expected);
          const [first = 0] = wrong;
          const fields = fieldsOf(consumer.copy.get(first), found.get(first));
          const report = `${wrong.length} of ${listings} listings differ, ${first} in ${fields}`;
          if (wrong.length > 0) throw new Error(`seed ${SEED}, ${what}, consumer ${at}: ${report}`);
          // A copy may be equal although a change that another has overtaken was lost or doubled.
          const events = await sql.countRows(
            services.pool,
            `from listing_events, modification_clock c where position > c.since and position <= $1 and type <> 'listing.moved'`,
            [consumer.position],
          );
          if (events !== consumer.events)
            throw new Error(`seed ${SEED}, ${what}, consumer ${at}: ${consumer.events} of ${events} typed changes`);
        }
        const seconds = Math.round((performance.now() - begun) / 1_000);
        console.log(`  ${what}, ${seconds} s: ${listings} listings equal, ${consumers[0]?.events} typed changes`);
      };
      const feed = changingFeed(random);
      await writeFeed(dir, feed.lines());
      await ingest();
      let hasPrevious = false;
      let bulkChanges = 0;
      let reading = follow(consumers);
      undo.push(() => reading.stop());
      for (let round = 0; round < ROUNDS; round++) {
        await services.pool.query('update source_states set released = true');
        if (round % 4 === 2) {
          const node = nodes[random(2)] as Node;
          await node.end('SIGKILL');
          await node.ensure();
        }
        if (isBulk(round)) {
          const output = await interrupted([BULK, String(SEED + round * 100), String(BULK_RUNS)]);
          for (const count of output.trim().split('\n')) bulkChanges += Number(count);
        } else {
          feed.change(round);
          await writeFeed(dir, feed.lines());
          if (round % 3 === 1) await interrupted(cli('ingest'));
          else await ingest();
        }
        if (round % 7 === 3) {
          await interrupted(cli('reindex'));
          hasPrevious = true;
        }
        if (round % 7 === 5 && hasPrevious) await command(own, cli('reindex', 'rollback'));
        if (round === BACKUP_ROUND) await copyUsedDatabase(server, BACKUP, database);
        const isRestored = round === RESTORED_ROUND;
        if (isRestored) {
          await copyDatabase(server, database, BACKUP);
          // There is no index to go back to until the next fill.
          hasPrevious = false;
          await interrupted(cli('ingest'));
        }
        if (round % 4 !== 3 && !isRestored && round < ROUNDS - 1) continue;
        await reading.stop();
        await compare(isRestored ? 'after the restore' : `round ${round}`);
        reading = follow(consumers);
      }
      await reading.stop();
      for (const [at, { restarts }] of consumers.entries())
        if (restarts === 0 || restarts > MAX_RESTARTS)
          throw new Error(`seed ${SEED}: consumer ${at} began ${restarts} times again after one restore`);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      const changes = feed.changes() + bulkChanges;
      const read = consumers.map(({ rows, restarts }) => `${rows} rows, ${restarts} restarts`);
      console.log(
        `  ${listings} listings equal after ${changes} changes in ${ROUNDS} rounds and ${seconds} s: ${read.join('; ')}`,
      );
    }),
};

const KEYS = 500;
const CALLS_PER_KEY = 2;
const WAIT_S = 20;
/** All consumers call from one address. */
const CONNECTIONS = { MAX_CONNECTIONS: '4000', MAX_CONNECTIONS_PER_ADDRESS: '2000' };
/** Milliseconds of the measurements with consumers and, before them, without. */
const MEASURED_MS = 60_000;
const IDLE_MS = 20_000;
/** Goals, and the limits that fail: a busy machine takes more time for the same calls. */
const PROCESSOR_GOAL = 0.05;
const MAX_PROCESSOR_SHARE = 0.2;
const DELAY_GOAL_MS = 5_000;
/** A wait: refused consumers repeat their calls. */
const MAX_DELAY_MS = WAIT_S * 1_000;

/** Processor time of a process in milliseconds, in user and system mode. */
async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export const waitingCopies: Fault = {
  title: `${KEYS * CALLS_PER_KEY} waiting consumers of ${KEYS} keys`,
  happen: () =>
    onInstallation('fault_waiting', async (own) => {
      const { dir, env, services, undo, ingest } = own;
      const ads = (raised: number) => Array.from({ length: 40 }, (_, at) => land(`w${at}`, at, raised));
      await writeFeed(dir, ads(1));
      const api = await startProcess('api', { ...env, ...CONNECTIONS, LOG_LEVEL: 'error' }, /^Serving /);
      undo.push(() => api.end('SIGTERM'));
      await ingest();
      const keys: string[] = [];
      for (let number = 0; number < KEYS / 10; number++) {
        const { id, key } = await createOrganization(services, UNLIMITED);
        keys.push(key);
        for (let more = 1; more < 10; more++) keys.push(await createKey(services, id));
      }
      const dispatcher = new Agent({ connections: KEYS * CALLS_PER_KEY + 10 });
      undo.push(() => dispatcher.destroy());
      const call = async (key: string, query: string) => {
        const init = {
          headers: { Authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(CALL_LIMIT),
          dispatcher,
        };
        const response = await fetch(`${api.url}/v1/listings/changes?${query}`, init as RequestInit);
        return {
          status: response.status,
          body: (await response.json()) as { data: unknown[]; pagination: { next: number } },
        };
      };
      const { body: begin } = await call(keys[0] as string, 'after=now');
      const shareOf = async (ms: number): Promise<number> => {
        const before = await processorMs(api.process.pid as number);
        await sleep(ms);
        return ((await processorMs(api.process.pid as number)) - before) / ms;
      };
      const idle = await shareOf(IDLE_MS);
      let running = true;
      let calls = 0;
      /** Times of the responses that have rows, and unexpected statuses. */
      const received: number[] = [];
      const refused: string[] = [];
      const consume = async (key: string, afterMs: number): Promise<void> => {
        await sleep(afterMs);
        for (let after = begin.pagination.next; running; ) {
          const { status, body } = await call(key, `after=${after}&wait_s=${WAIT_S}`);
          calls++;
          if (status !== 200) {
            refused.push(`${status} ${JSON.stringify(body)}`);
            await sleep(1_000);
            continue;
          }
          if (body.data.length > 0) received.push(performance.now());
          after = body.pagination.next;
          if (body.data.length > 0) return;
        }
      };
      // Spread over a wait, as calls that began at any time.
      const consumers = keys.flatMap((key, at) =>
        Array.from({ length: CALLS_PER_KEY }, () => consume(key, (WAIT_S * 1_000 * at) / KEYS)),
      );
      const all = Promise.all(consumers);
      all.catch(() => {});
      await sleep(WAIT_S * 1_000);
      const [callsBefore, share] = [calls, await shareOf(MEASURED_MS)];
      const perCall = ((share - idle) * MEASURED_MS) / (calls - callsBefore);
      // The run ends all waits, and consumers repeat calls that are refused then.
      const early = refused.length;
      await writeFeed(dir, ads(1.05));
      await ingest();
      const { rows } = await services.pool.query<{ ago: number }>(
        `select extract(epoch from clock_timestamp() - max(completed_at))::float8 * 1000 as ago from ingest_runs where status = 'completed'`,
      );
      const ended = performance.now() - (rows[0]?.ago ?? 0);
      await Promise.race([all, sleep(CALL_LIMIT)]);
      running = false;
      const delays = received.map((at) => at - ended).sort((a, b) => a - b);
      const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.POSITIVE_INFINITY;
      const [percent, idlePercent] = [share, idle].map((each) => (100 * each).toFixed(1));
      const ms = Math.round(p99);
      const goal = share > PROCESSOR_GOAL ? ` (below target: ${100 * PROCESSOR_GOAL}%)` : '';
      const goalMs = p99 > DELAY_GOAL_MS ? ` (below target: ${DELAY_GOAL_MS} ms)` : '';
      console.log(
        `  waiting took ${percent}% of a processor${goal}, ${idlePercent}% of it without consumers, ${perCall.toFixed(2)} ms for each call; p99 from the end of the run ${ms} ms${goalMs}, ${delays.length} consumers`,
      );
      if (delays.length < keys.length * CALLS_PER_KEY)
        throw new Error(`only ${delays.length} consumers received the run`);
      if (early > 0) throw new Error(`${early} waiting calls were refused, the first: ${refused[0]}`);
      if (share > MAX_PROCESSOR_SHARE) throw new Error(`waiting consumers took ${percent}% of a processor`);
      if (p99 > MAX_DELAY_MS) throw new Error(`p99 from the end of the run was ${ms} ms`);
    }),
};
