import { SHARED_MS } from '#domain/cached-read.ts';
import { internalRequester, OverloadError, SearchQueues } from '#domain/search-queues.ts';
import { StoreError } from '#domain/store-error.ts';
import type { Hour } from '#queries/market/window.ts';
import { aggregationCache, cachedAggregation } from '#search/aggregation-cache.ts';
import type { SearchEngine } from '#search/read-engine.ts';
import type { Services } from '#src/services.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-06-01T12:00:00Z');
const places = { neighborhoods: () => [] };

interface Filters {
  city: string;
}

/** Creates a fake search engine whose results change with `version`. It counts aggregations and requests. */
function fakeEngine() {
  const state = { version: 1, aggregations: 0, requests: 0, delay: Promise.resolve() };
  const answer = async (body: Readonly<Record<string, unknown>>) => {
    if ('aggs' in body) return { hits: state.version, aggregations: {} };
    state.aggregations++;
    await state.delay;
    return { body };
  };
  const search = {
    search: async (_index: string, body: Readonly<Record<string, unknown>>) => {
      state.requests++;
      return answer(body);
    },
    searchInTurn: async (_index: string, bodies: readonly Readonly<Record<string, unknown>>[]) => {
      state.requests++;
      const answers = [];
      for (const body of bodies) answers.push(await answer(body));
      return answers;
    },
  } as unknown as SearchEngine;
  const services = { search, config: testConfig(), places, searchQueues: new SearchQueues(1) } as unknown as Services;
  return { state, search, services };
}

/** Options that all requests share. */
const request = (services: Services, name = 'organization 1') => ({
  services,
  deadline: performance.now() + 60_000,
  requester: internalRequester(name),
});

const echo = (name: string, cost: 'usual' | 'large' = 'usual') =>
  cachedAggregation<Filters, { body: object }>({
    name,
    cost,
    body: ({ city }, hour) => ({ city, hour }),
    present: ({ body }, { filters, hour }) => ({ name, body, filters, hour }),
  });

test('requests with equal filters in the same hour share one aggregation until the listings change', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const at = (minutes: number, city = 'riyadh') =>
    read({ ...request(services), filters: { city }, now: NOON + minutes * 60_000 });
  const first = await at(0);
  t.is(await at(59), first);
  t.is(state.aggregations, 1);
  t.is(JSON.parse(await at(60)).hour, NOON + HOUR);
  t.is(JSON.parse(await at(0, 'jeddah')).filters.city, 'jeddah');
  t.is(state.aggregations, 3);
  state.version = 2;
  aggregationCache(search).clearStates();
  t.is(await at(0), first);
  t.is(state.aggregations, 4);
});

test('a new aggregation takes one request, an immediate repetition none, and a later repetition only a state check', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = (city: string) => read({ ...request(services), filters: { city }, now: NOON });
  const requests = async (city: string): Promise<number> => {
    const before = state.requests;
    await ask(city);
    return state.requests - before;
  };
  t.is(await requests('riyadh'), 1, 'aggregation and state are sent together');
  // The cached state expires if this process was delayed for too long, so it may be read again.
  while ((await requests('riyadh')) > 0) t.is(state.aggregations, 1);
  state.version = 2;
  const changed = performance.now();
  while (state.aggregations === 1) await ask('riyadh');
  const late = performance.now() - changed;
  t.true(late < 2_000, `a change was seen after ${late} ms`);
  aggregationCache(search).clearStates();
  t.is(await requests('riyadh'), 1, 'the state');
  aggregationCache(search).clearStates();
  const before = state.requests;
  const begun = performance.now();
  await Promise.all(Array.from({ length: 30 }, () => ask('riyadh')));
  // Skipped if this process was delayed for so long that it reads the state again.
  if (performance.now() - begun < SHARED_MS) t.is(state.requests - before, 1, 'one reading of the state for all');
  t.is(state.aggregations, 2);
});

test('the most requested aggregations are refreshed after listings have stopped changing', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = (city: string) => read({ ...request(services), filters: { city }, now: NOON });
  for (let city = 0; city < 60; city++) for (let asked = 0; asked <= city % 7; asked++) await ask(`${city}`);
  t.is(state.aggregations, 60);
  const warm = () => {
    aggregationCache(search).clearStates();
    return aggregationCache(search).warm(services.searchQueues, NOON);
  };
  t.is(await warm(), 0, 'nothing has changed');
  state.version = 2;
  t.is(await warm(), 0, 'more may change');
  t.is(await warm(), 50);
  const before = state.aggregations;
  for (let city = 0; city < 60; city++) if (city % 7 > 1) await ask(`${city}`);
  t.is(state.aggregations, before, 'the most requested ones were ready');
  t.is(await warm(), 0);
});

test('a low-cost aggregation bypasses the queue, is cached while its index is unchanged, and is not refreshed', async (t) => {
  const { state, search, services } = fakeEngine();
  const page = cachedAggregation<Filters, { body: object }>({
    name: 'page',
    cost: 'small',
    body: ({ city }) => ({ city }),
    present: ({ body }) => ({ body }),
  });
  const ask = (read: typeof page, city: string) => read({ ...request(services), filters: { city }, now: NOON });
  const held = Promise.withResolvers<void>();
  state.delay = held.promise;
  const costly = ['a', 'b', 'c'].map((city) => ask(echo('costly', 'large'), city));
  const behind = ask(page, 'riyadh');
  // The low-cost aggregation is sent while the expensive ones still run.
  while (state.aggregations < 3) await new Promise(setImmediate);
  held.resolve();
  await Promise.all([...costly, behind]);
  const before = state.aggregations;
  t.is(await ask(page, 'riyadh'), await behind);
  t.is(state.aggregations, before);
  state.version = 2;
  aggregationCache(search).clearStates();
  await ask(page, 'riyadh');
  t.is(state.aggregations, before + 1);
  state.version = 3;
  for (let i = 0; i < 2; i++) {
    aggregationCache(search).clearStates();
    await aggregationCache(search).warm(services.searchQueues, NOON);
  }
  t.is(state.aggregations, before + 4, 'the three that cost much');
});

test('concurrent identical requests run one aggregation', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one');
  const all = Array.from({ length: 40 }, (_, minute) =>
    read({ ...request(services), filters: { city: 'riyadh' }, now: NOON + minute * 60_000 }),
  );
  t.is(new Set(await Promise.all(all)).size, 1);
  t.is(state.aggregations, 1);
});

test('aggregations with equal filters but different names are cached separately', async (t) => {
  const { services } = fakeEngine();
  const riyadh = { ...request(services), filters: { city: 'riyadh' }, now: NOON };
  t.is(JSON.parse(await echo('one')(riyadh)).name, 'one');
  t.is(JSON.parse(await echo('other')(riyadh)).name, 'other');
});

test('the cache is bounded and evicts the least recently used entry', async (t) => {
  const { state, services } = fakeEngine();
  const read = cachedAggregation<Filters, object>({
    name: 'large',
    body: () => ({}),
    present: () => ({ text: 'x'.repeat(12 * 1024 * 1024) }),
  });
  const get = (city: string) => read({ ...request(services), filters: { city }, now: NOON });
  for (const city of ['a', 'b', 'a', 'c']) await get(city);
  t.is(state.aggregations, 3);
  await get('a');
  t.is(state.aggregations, 3, 'a was used after b');
  await get('b');
  t.is(state.aggregations, 4, 'b had to go');
});

test('one organization fills at most half of a queue, while calls by other organizations are served', async (t) => {
  const { state, services } = fakeEngine();
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const order: string[] = [];
  const ask = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      echo('one')({ ...request(services, name), filters: { city: `${name} ${at}` }, now: NOON }).then(
        () => order.push(name),
        (error: unknown) => {
          if (!(error instanceof OverloadError)) throw error;
          return 'refused';
        },
      ),
    );
  const flood = ask('a', 100);
  t.is(await Promise.race(flood), 'refused');
  const other = ask('b', 3);
  gate.resolve();
  const outcomes = await Promise.all(flood);
  t.is(outcomes.filter((outcome) => outcome === 'refused').length, 100 - 64 - 4);
  await Promise.all(other);
  // Four calls of the flood were running when the other organization’s calls arrived, and one starts before each of
  // these. Of four concurrent calls, three may end before an earlier one.
  t.true(order.lastIndexOf('b') < 4 + 2 * 3 + 3, order.join(''));
  t.is(services.searchQueues.refused, 100 - 64 - 4);
});

test('two large and four other aggregations run in parallel without delaying each other', async (t) => {
  const { state, services } = fakeEngine();
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const ask = (name: string, cost: 'usual' | 'large', count: number) =>
    Array.from({ length: count }, (_, at) =>
      echo(name, cost)({ ...request(services), filters: { city: `${at}` }, now: NOON }),
    );
  const large = ask('large', 'large', 5);
  while (state.aggregations < 2) await new Promise(setImmediate);
  const usual = ask('usual', 'usual', 9);
  while (state.aggregations < 6) await new Promise(setImmediate);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  t.is(state.aggregations, 6);
  gate.resolve();
  await Promise.all([...large, ...usual]);
  t.is(state.aggregations, 14);
});

test('a request shares an aggregation that is already running only if the documents are unchanged', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = () => read({ ...request(services), filters: { city: 'riyadh' }, now: NOON });
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const first = ask();
  while (state.aggregations < 1) await new Promise(setImmediate);
  const same = ask();
  state.version = 2;
  aggregationCache(search).clearStates();
  const changed = [ask(), ask()];
  gate.resolve();
  await Promise.all([first, same, ...changed]);
  t.is(state.aggregations, 2);
});

test('a failed aggregation is repeated once for all requests that did not start it', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one');
  const failing = Promise.withResolvers<void>();
  state.delay = failing.promise;
  const asked = Array.from({ length: 30 }, (_, at) =>
    read({ ...request(services, `organization ${at % 3}`), filters: { city: 'riyadh' }, now: NOON }),
  );
  while (state.aggregations < 1) await new Promise(setImmediate);
  state.delay = Promise.resolve();
  failing.reject(new StoreError('opensearch', true, new Error('away')));
  const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status);
  t.deepEqual(outcomes, ['rejected', ...Array.from({ length: 29 }, () => 'fulfilled')]);
  t.is(state.aggregations, 2);
});

test('a cancelled or timed-out request does not affect others, and an aggregation without requests is dequeued', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one', 'large');
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const ask = (city: string, name: string, changes: { signal?: AbortSignal; deadline?: number } = {}) => {
    const { deadline, requester } = request(services, name);
    const { signal } = changes;
    return read({
      services,
      deadline: changes.deadline ?? deadline,
      requester: { ...requester, ...(signal ? { signal } : {}) },
      filters: { city },
      now: NOON,
    });
  };
  const running = ['x', 'y'].map((city) => ask(city, 'other'));
  while (state.aggregations < 2) await new Promise(setImmediate);
  const leaving = new AbortController();
  const { signal } = leaving;
  const shared = [
    ask('shared', 'a', { signal }),
    ask('shared', 'a', { deadline: performance.now() }),
    ask('shared', 'b'),
  ];
  const alone = ask('alone', 'a', { signal });
  const settled = Promise.allSettled([...shared, alone]);
  await t.throwsAsync(shared[1] as Promise<string>, { instanceOf: StoreError, message: /did not arrive in time/ });
  leaving.abort();
  await t.throwsAsync(alone, { instanceOf: StoreError, message: /disconnected/ });
  gate.resolve();
  await Promise.all(running);
  t.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'rejected'],
  );
  t.is(state.aggregations, 3, 'the last one is not waited for');
  t.true(services.searchQueues.isIdle);
});

test('an aggregation requested by several organizations is computed once, in the first free slot', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one', 'large');
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const ask = (city: string, name: string) => read({ ...request(services, name), filters: { city }, now: NOON });
  const backlog = Array.from({ length: 40 }, (_, at) => ask(`${at}`, 'a'));
  const shared = ask('shared', 'a');
  while (state.aggregations < 2) await new Promise(setImmediate);
  const other = ask('shared', 'b');
  gate.resolve();
  t.is(await Promise.race([other, ...backlog.slice(4)]), await shared, 'it does not wait for the backlog of the first');
  t.is(await other, await shared);
  await Promise.all(backlog);
  t.is(state.aggregations, 41);
});

test('an aggregation is queued while its request is being charged and starts after the charge', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one', 'large');
  const charged = Promise.withResolvers<void>();
  let queued = 0;
  const requester = { name: 'a', charged: charged.promise, queued: () => queued++ };
  const result = read({ ...request(services), requester, filters: { city: 'riyadh' }, now: NOON });
  while (queued === 0) await new Promise(setImmediate);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  t.is(state.aggregations, 0);
  charged.resolve();
  await result;
  t.is(state.aggregations, 1);
  await read({ ...request(services), requester, filters: { city: 'riyadh' }, now: NOON });
  t.is(queued, 1, 'a cached result requires no slot');
});

test('the compiler prevents request bodies and results from depending on the current time', (t) => {
  cachedAggregation<Filters, object>({
    name: 'clockless',
    body: (_filters, hour: Hour) => ({ hour }),
    // @ts-expect-error there is no moment in the request of a cached aggregation, only its full hour
    present: (_response, { now }) => ({ now }),
  });
  // @ts-expect-error a moment is no hour
  const hour: Hour = NOON + 60_000;
  t.truthy(hour);
});
