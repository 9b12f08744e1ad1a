import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { FACET_NAMES } from '#queries/listings/facets.ts';
import type { Fault } from './fault.ts';

/** Connections of a flood, and addresses from which they come. */
const CONNECTIONS = 64;
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const FLOOD_MS = 8_000;
/** Calls of the other organization per second, unless the machine is too busy for them. */
const PER_SECOND = 20;
/**
 * Maximum of the 99th percentiles in milliseconds, during a flood and from a second after it. On a machine that exceeds
 * half of it without a flood, at most twice its time.
 */
const LIMITS = { search: 250, statistics: 1_000 };
const BUSY_FACTOR = 2;
const RECOVERY_MS = 2_000;
const WARM_UP_CALLS = 20;
const CALL_LIMIT = 30_000;

type Send = (agent: Agent, at: number) => Promise<unknown>;

/** Distinct expensive requests: long texts of words that no listing has, and facets of all fields. */
function pathOf(at: number): string {
  const cohort = `city=riyadh&listing_type=${at % 2 === 0 ? 'sale' : 'rent'}`;
  const fields = FACET_NAMES.slice(0, 10).join();
  if (at % 3 === 0) return `/listings/facets?${cohort}&area_min=${1 + (at % 400)}&fields=${fields}&exclude_own=true`;
  const words = Array.from(
    { length: 12 },
    (_, word) => `شققق${String.fromCharCode(0x628 + ((at + word) % 18))}فاخرررة${word}`,
  );
  return `/listings?${cohort}&limit=20&q=${encodeURIComponent(words.join(' ').slice(0, 280))}`;
}

async function openSession(dispatcher: Agent, url: string): Promise<string> {
  const { headers, body } = await request(`${url}/explorer`, { dispatcher });
  await body.dump();
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

function argumentsOf(path: string) {
  const url = new URL(path, 'http://service');
  const name = url.pathname === '/listings' ? 'searchListings' : 'listFacets';
  const typed = (value: string) => (/^(\d+|true)$/.test(value) ? JSON.parse(value) : value);
  const { limit: _, ...given } = Object.fromEntries(url.searchParams);
  return { name, arguments: Object.fromEntries(Object.entries(given).map(([each, value]) => [each, typed(value)])) };
}

export const visitors: Fault = {
  title: 'visitors and a Free key send expensive requests by 64 connections from 4 addresses',
  spares: 'load',
  order: -1,
  happen: async (stage) => {
    const { url } = stage.main;
    const free = await stage.organization('free');
    const headers = { authorization: `Bearer ${free.key}` };
    const call = async (agent: Agent, path: string, options: Parameters<typeof request>[1] = {}) => {
      const limits = { headersTimeout: CALL_LIMIT, bodyTimeout: CALL_LIMIT, dispatcher: agent };
      const { statusCode, body } = await request(`${url}${path}`, { ...limits, ...options });
      await body.dump();
      return statusCode;
    };
    const sessions = new Map<Agent, Promise<string>>();
    /** Of a page, one for each address. */
    const sessionOf = (agent: Agent): Promise<string> => {
      const session = sessions.get(agent) ?? openSession(agent, url);
      sessions.set(agent, session);
      return session;
    };
    const floods: Readonly<Record<string, Send>> = {
      'without a key': async (agent, at) => {
        const session = await sessionOf(agent);
        return call(agent, `/explorer/api${pathOf(at)}`, { headers: { cookie: session } });
      },
      'with a Free key': (agent, at) => call(agent, `/v1${pathOf(at)}`, { headers }),
      'with HEAD': (agent, at) => call(agent, `/v1${pathOf(at)}`, { headers, method: 'HEAD' }),
      'over /mcp': (agent, at) =>
        call(agent, '/mcp', {
          method: 'POST',
          headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: at, method: 'tools/call', params: argumentsOf(pathOf(at)) }),
        }),
    };
    const { key } = await stage.organization();
    const perSecond = Math.min(PER_SECOND, stage.perSecond);
    const faults: string[] = [];
    // The first calls of a kind load its code.
    const direct = new Agent();
    for (const send of Object.values(floods)) for (let at = 0; at < WARM_UP_CALLS; at++) await send(direct, at);
    await direct.close();
    const quiet = await measure({ url, key, perSecond, ms: FLOOD_MS });
    console.log(`  without a flood: ${JSON.stringify(quiet)}`);
    for (const [name, send] of Object.entries(floods)) {
      const stopping = new AbortController();
      const statuses: Record<string, number> = {};
      let sent = 0;
      const agents = ADDRESSES.map((localAddress) => new Agent({ connect: { localAddress } }));
      const flood = Array.from({ length: CONNECTIONS }, async (_, connection) => {
        const agent = agents[connection % agents.length] as Agent;
        while (!stopping.signal.aborted) {
          const status = await send(agent, sent++).catch((error: Error) => error.message);
          statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
        }
      });
      const during = await measure({ url, key, perSecond, ms: FLOOD_MS });
      stopping.abort();
      const after = await measure({ url, key, perSecond, ms: RECOVERY_MS, from: RECOVERY_MS / 2 });
      await Promise.all(flood);
      await Promise.all(agents.map((agent) => agent.close()));
      console.log(`  ${name}: ${JSON.stringify({ sent, statuses, during, after })}`);
      for (const each of [during, after]) {
        if (Object.keys(each.failed).length > 0) faults.push(`${name}: ${JSON.stringify(each.failed)}`);
        for (const kind of ['search', 'statistics'] as const) {
          const limit = Math.max(LIMITS[kind], BUSY_FACTOR * quiet[kind]);
          if (each[kind] > limit) faults.push(`${name}: ${kind} took ${each[kind]} ms, above ${limit}`);
        }
      }
      if (!statuses['200']) faults.push(`${name}: no visitor was served`);
    }
    if (faults.length > 0) throw new Error(faults.join('; '));
  },
};

interface ErrorResponse {
  error?: { message: string };
}

interface Measurement {
  url: string;
  key: string;
  perSecond: number;
  ms: number;
  /** Milliseconds from which times count. */
  from?: number;
}

/**
 * Sends searches and statistics that are not cached, and readiness probes, at a constant rate.
 * @returns 99th percentiles in milliseconds, and the number of responses other than 200
 */
async function measure({ url, key, perSecond, ms, from = 0 }: Measurement) {
  const times: Record<'search' | 'statistics' | 'ready', number[]> = { search: [], statistics: [], ready: [] };
  const failed: Record<string, number> = {};
  const fail = (reason: string) => {
    failed[reason] = (failed[reason] ?? 0) + 1;
  };
  const begun = performance.now();
  const calls: Promise<void>[] = [];
  const call = async (kind: keyof typeof times, path: string) => {
    const start = performance.now();
    const { statusCode, body } = await request(url + path, { headers: { authorization: `Bearer ${key}` } });
    const text = await body.text();
    if (statusCode !== 200) fail(`${kind} ${statusCode} ${(JSON.parse(text) as ErrorResponse).error?.message}`);
    if (start - begun >= from) times[kind].push(performance.now() - start);
  };
  for (let at = 0; performance.now() - begun < ms; at++) {
    const area = `area_min=${1 + (at % 90)}&area_max=${1_000 + Math.floor(Math.random() * 100_000)}`;
    const cohort = `city=riyadh&listing_type=sale&${area}`;
    if (at % 5 === 0) calls.push(call('statistics', `/v1/market/summary?${cohort}`), call('ready', '/readyz'));
    else calls.push(call('search', `/v1/listings?${cohort}&limit=10`));
    await sleep(1_000 / perSecond);
  }
  for (const each of await Promise.allSettled(calls)) if (each.status === 'rejected') fail(String(each.reason));
  return { search: p99(times.search), statistics: p99(times.statistics), ready: p99(times.ready), failed };
}

const p99 = (times: number[]): number =>
  Math.round(times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0);
