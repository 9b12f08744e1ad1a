import test from 'ava';
import { StoreError } from '#domain/store-error.ts';
import type { Hour } from '#queries/market/window.ts';
import { cachedAggregation, forgetStates, warmAggregations } from '#search/aggregation-cache.ts';
import type { SearchEngine } from '#search/read-engine.ts';
import { testConfig } from '#test/env.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-06-01T12:00:00Z');
const places = { neighborhoods: () => [] };

interface Filters {
  city: string;
}

/** A search engine whose listings change when `version` does. It counts the aggregations it runs, and its requests. */
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
  const services = { search, config: testConfig(), places } as never;
  return { state, search, services };
}

const echo = (name: string, cost: 'usual' | 'large' = 'usual') =>
  cachedAggregation<Filters, { body: object }>({
    name,
    cost,
    body: ({ city }, hour) => ({ city, hour }),
    present: ({ body }, { filters, hour }) => ({ name, body, filters, hour }),
  });

test('requests of one hour with equal filters share one aggregation, until the listings change', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const at = (minutes: number, city = 'riyadh') =>
    read({ deadline: performance.now() + 60_000, services, filters: { city }, now: NOON + minutes * 60_000 });
  const first = await at(0);
  t.is(await at(59), first);
  t.is(state.aggregations, 1);
  t.is(JSON.parse(await at(60)).hour, NOON + HOUR);
  t.is(JSON.parse(await at(0, 'jeddah')).filters.city, 'jeddah');
  t.is(state.aggregations, 3);
  state.version = 2;
  forgetStates(search);
  t.is(await at(0), first);
  t.is(state.aggregations, 4);
});

test('a first question is one request, the same again is none, and after a moment one for the state', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = (city: string) => read({ deadline: performance.now() + 60_000, services, filters: { city }, now: NOON });
  const requests = async (city: string): Promise<number> => {
    const before = state.requests;
    await ask(city);
    return state.requests - before;
  };
  t.is(await requests('riyadh'), 1, 'question and state travel together');
  // Unless this process was held up for so long that the state has to be read again.
  while ((await requests('riyadh')) > 0) t.is(state.aggregations, 1);
  state.version = 2;
  const changed = performance.now();
  while (state.aggregations === 1) await ask('riyadh');
  const late = performance.now() - changed;
  t.true(late < 2_000, `a change was seen after ${late} ms`);
  forgetStates(search);
  t.is(await requests('riyadh'), 1, 'the state');
  forgetStates(search);
  const before = state.requests;
  await Promise.all(Array.from({ length: 30 }, () => ask('riyadh')));
  t.is(state.requests - before, 1, 'one reading of the state for all');
  t.is(state.aggregations, 2);
});

test('what was asked most is answered anew when the listings have changed and come to rest', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = (city: string) => read({ deadline: performance.now() + 60_000, services, filters: { city }, now: NOON });
  for (let city = 0; city < 60; city++) for (let asked = 0; asked <= city % 7; asked++) await ask(`${city}`);
  t.is(state.aggregations, 60);
  const warm = () => {
    forgetStates(search);
    return warmAggregations(search, NOON);
  };
  t.is(await warm(), 0, 'nothing has changed');
  state.version = 2;
  t.is(await warm(), 0, 'more may change');
  t.is(await warm(), 50);
  const before = state.aggregations;
  for (let city = 0; city < 60; city++) if (city % 7 > 1) await ask(`${city}`);
  t.is(state.aggregations, before, 'those asked most were ready');
  t.is(await warm(), 0);
});

test('what costs little waits for nobody, is kept while its index is as it was, and is not answered anew', async (t) => {
  const { state, search, services } = fakeEngine();
  const page = cachedAggregation<Filters, { body: object }>({
    name: 'page',
    cost: 'small',
    body: ({ city }) => ({ city }),
    present: ({ body }) => ({ body }),
  });
  const ask = (read: typeof page, city: string) =>
    read({ deadline: performance.now() + 60_000, services, filters: { city }, now: NOON });
  const held = Promise.withResolvers<void>();
  state.delay = held.promise;
  const costly = ['a', 'b', 'c'].map((city) => ask(echo('costly', 'large'), city));
  const behind = ask(page, 'riyadh');
  // Its question has left, where those of the costly ones are two at most.
  while (state.aggregations < 3) await new Promise(setImmediate);
  held.resolve();
  await Promise.all([...costly, behind]);
  const before = state.aggregations;
  t.is(await ask(page, 'riyadh'), await behind);
  t.is(state.aggregations, before);
  state.version = 2;
  forgetStates(search);
  await ask(page, 'riyadh');
  t.is(state.aggregations, before + 1);
  state.version = 3;
  for (let i = 0; i < 2; i++) {
    forgetStates(search);
    await warmAggregations(search, NOON);
  }
  t.is(state.aggregations, before + 4, 'the three that cost much');
});

test('equal requests at once run one aggregation', async (t) => {
  const { state, services } = fakeEngine();
  const read = echo('one');
  const all = Array.from({ length: 40 }, (_, minute) =>
    read({ deadline: performance.now() + 60_000, services, filters: { city: 'riyadh' }, now: NOON + minute * 60_000 }),
  );
  t.is(new Set(await Promise.all(all)).size, 1);
  t.is(state.aggregations, 1);
});

test('aggregations of other names do not meet, also with equal filters', async (t) => {
  const { services } = fakeEngine();
  const request = { deadline: performance.now() + 60_000, services, filters: { city: 'riyadh' }, now: NOON };
  t.is(JSON.parse(await echo('one')(request)).name, 'one');
  t.is(JSON.parse(await echo('other')(request)).name, 'other');
});

test('what is cached is bounded: the least recently used goes first', async (t) => {
  const { state, services } = fakeEngine();
  const read = cachedAggregation<Filters, object>({
    name: 'large',
    body: () => ({}),
    present: () => ({ text: 'x'.repeat(12 * 1024 * 1024) }),
  });
  const get = (city: string) => read({ deadline: performance.now() + 60_000, services, filters: { city }, now: NOON });
  for (const city of ['a', 'b', 'a', 'c']) await get(city);
  t.is(state.aggregations, 3);
  await get('a');
  t.is(state.aggregations, 3, 'a was used after b');
  await get('b');
  t.is(state.aggregations, 4, 'b had to go');
});

test('more waiting aggregations than there is room for are refused', async (t) => {
  const { state, services } = fakeEngine();
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const all = Array.from({ length: 100 }, (_, index) =>
    echo('one')({ deadline: performance.now() + 60_000, services, filters: { city: `city ${index}` }, now: NOON }).then(
      () => 'served',
      (error: unknown) => (error instanceof StoreError && error.away ? 'away' : String(error)),
    ),
  );
  t.is(await Promise.race(all), 'away');
  gate.resolve();
  const outcomes = await Promise.all(all);
  t.is(outcomes.filter((outcome) => outcome === 'away').length, 100 - 64 - 4);
  t.is(outcomes.filter((outcome) => outcome === 'served').length, 64 + 4);
});

test('large ones run two at a time, others four, and neither waits for the other', async (t) => {
  const { state, services } = fakeEngine();
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const ask = (name: string, cost: 'usual' | 'large', count: number) =>
    Array.from({ length: count }, (_, at) =>
      echo(name, cost)({ deadline: performance.now() + 60_000, services, filters: { city: `${at}` }, now: NOON }),
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

test('an equal question that comes meanwhile is answered by the same aggregation, unless that fails or is too old', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const ask = () => read({ deadline: performance.now() + 60_000, services, filters: { city: 'riyadh' }, now: NOON });
  const gate = Promise.withResolvers<void>();
  state.delay = gate.promise;
  const [first, second] = [ask(), ask()];
  while (state.aggregations < 1) await new Promise(setImmediate);
  // The documents change while the answer is made: the second asks anew.
  state.version = 2;
  forgetStates(search);
  gate.resolve();
  t.is(await first, await second);
  t.is(state.aggregations, 2);

  const failing = Promise.withResolvers<void>();
  state.delay = failing.promise;
  state.version = 3;
  forgetStates(search);
  const asked = [ask(), ask()];
  while (state.aggregations < 3) await new Promise(setImmediate);
  state.delay = Promise.resolve();
  failing.reject(new StoreError('opensearch', true, new Error('away')));
  const [failed, served] = await Promise.allSettled(asked);
  t.deepEqual([failed?.status, served?.status], ['rejected', 'fulfilled']);
  t.is(state.aggregations, 4);
});

test('neither a body nor a presentation can see the clock', (t) => {
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
