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

const echo = (name: string) =>
  cachedAggregation<Filters, { body: object }>({
    name,
    body: ({ city }, hour) => ({ city, hour }),
    present: ({ body }, { filters, hour }) => ({ name, body, filters, hour }),
  });

test('requests of one hour with equal filters share one aggregation, until the listings change', async (t) => {
  const { state, search, services } = fakeEngine();
  const read = echo('one');
  const at = (minutes: number, city = 'riyadh') => read({ services, filters: { city }, now: NOON + minutes * 60_000 });
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
  const ask = (city: string) => read({ services, filters: { city }, now: NOON });
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
  const ask = (city: string) => read({ services, filters: { city }, now: NOON });
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
    small: true,
    body: ({ city }) => ({ city }),
    present: ({ body }) => ({ body }),
  });
  const ask = (read: typeof page, city: string) => read({ services, filters: { city }, now: NOON });
  const held = Promise.withResolvers<void>();
  state.delay = held.promise;
  const costly = ['a', 'b', 'c'].map((city) => ask(echo('costly'), city));
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
    read({ services, filters: { city: 'riyadh' }, now: NOON + minute * 60_000 }),
  );
  t.is(new Set(await Promise.all(all)).size, 1);
  t.true(state.aggregations <= 2, `${state.aggregations} aggregations`);
});

test('aggregations of other names do not meet, also with equal filters', async (t) => {
  const { services } = fakeEngine();
  const request = { services, filters: { city: 'riyadh' }, now: NOON };
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
  const get = (city: string) => read({ services, filters: { city }, now: NOON });
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
    echo('one')({ services, filters: { city: `city ${index}` }, now: NOON }).then(
      () => 'served',
      (error: unknown) => (error instanceof StoreError && error.away ? 'away' : String(error)),
    ),
  );
  t.is(await Promise.race(all), 'away');
  gate.resolve();
  const outcomes = await Promise.all(all);
  t.is(outcomes.filter((outcome) => outcome === 'away').length, 100 - 64 - 2);
  t.is(outcomes.filter((outcome) => outcome === 'served').length, 64 + 2);
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
