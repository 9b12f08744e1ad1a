import { OVERLOAD, ReadQueues } from '#domain/read-queues.ts';
import { type AggregationRequest, cachedAggregation, StatisticsCache } from '#stores/opensearch/aggregation-cache.ts';
import { test } from '#test/test.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-06-01T12:00:00Z');

interface Filters {
  city: string;
}

/** Creates services with a fake search engine that counts the searches. */
function fakeServices() {
  const state = {
    generation: 'listings-1 10' as string | null,
    searches: 0,
    work: async (): Promise<void> => {},
  };
  const services = {
    statistics: new StatisticsCache(),
    readQueues: new ReadQueues(),
    places: { neighborhoods: () => [], cities: () => [] },
    indexGuard: { generation: () => state.generation },
    search: {
      search: async (_index: string, body: object) => {
        state.searches++;
        await state.work();
        return { body };
      },
    },
  } as unknown as AggregationRequest<Filters>['services'];
  return { state, services };
}

const echo = (name: string) =>
  cachedAggregation<Filters, { body: object }>({
    name,
    body: ({ city }, hour) => ({ city, hour }),
    present: ({ body }, { filters, hour }) => ({ name, body, filters, hour }),
  });

/** Returns a function that requests an aggregation at noon. */
const asking =
  (services: AggregationRequest<Filters>['services'], read = echo('one')) =>
  ({ city = 'riyadh', minutes = 0, name = 'organization 1', left = 60_000, isVisitor = false } = {}): Promise<string> =>
    read({
      services,
      filters: { city },
      now: NOON + minutes * 60_000,
      deadline: performance.now() + left,
      requester: { name, isVisitor },
    });

test('requests with equal filters in the same hour share one aggregation until the index has other documents', async (t) => {
  const { state, services } = fakeServices();
  const ask = asking(services);
  const [first = ''] = await Promise.all(Array.from({ length: 30 }, () => ask()));
  t.is(await ask({ minutes: 59 }), first);
  t.is(state.searches, 1);
  t.is(JSON.parse(await ask({ minutes: 60 })).hour, NOON + HOUR);
  t.is(JSON.parse(await ask({ city: 'jeddah' })).filters.city, 'jeddah');
  t.is(JSON.parse(await asking(services, echo('two'))()).name, 'two');
  t.is(state.searches, 4);
  state.generation = 'listings-1 20';
  t.is(await ask(), first);
  t.is(state.searches, 5);
  t.deepEqual([services.statistics.reads().hits, services.statistics.reads().misses], [30, 5]);
});

test('while an index is being written, equal concurrent requests share an aggregation, and nothing is cached', async (t) => {
  const { state, services } = fakeServices();
  const ask = asking(services);
  state.generation = null;
  await Promise.all([ask(), ask()]);
  t.is(state.searches, 1);
  // A result may be shared for a millisecond.
  const begun = performance.now();
  while (performance.now() - begun < 3);
  await ask();
  t.is(state.searches, 2);
});

test('a request is served if only the queue of the organization that began the aggregation is full', async (t) => {
  const { state, services } = fakeServices();
  const ask = asking(services);
  const gate = Promise.withResolvers<void>();
  state.work = () => gate.promise;
  const filling = Array.from({ length: 130 }, (_, at) => ask({ city: `${at}` }));
  const refused = ask({ city: 'shared' });
  const served = ask({ city: 'shared', name: 'organization 2' });
  await t.throwsAsync(refused, { is: OVERLOAD });
  gate.resolve();
  t.is(JSON.parse(await served).filters.city, 'shared');
  await Promise.all(filling);
});

test('others do not wait for a computation that visitors share', async (t) => {
  const { state, services } = fakeServices();
  const ask = asking(services);
  const gate = Promise.withResolvers<void>();
  state.work = () => gate.promise;
  const visitors = ['203.0.113.7', '203.0.113.8'].map((name) => ask({ name, isVisitor: true }));
  await new Promise(setImmediate);
  state.work = async () => {};
  const served = await ask();
  t.is(state.searches, 2);
  t.is(await ask({ name: '203.0.113.9', isVisitor: true }), served, 'from memory');
  gate.resolve();
  t.deepEqual(await Promise.all(visitors), [served, served]);
  t.is(state.searches, 2);
});

test('the cache is bounded', async (t) => {
  const { services } = fakeServices();
  const large = cachedAggregation<Filters, object>({
    name: 'large',
    body: () => ({}),
    present: () => ({ text: 'x'.repeat(10_000_000) }),
  });
  const ask = asking(services, large as never);
  for (const city of ['a', 'b', 'c', 'd']) await ask({ city });
  const { entries, characters } = services.statistics.reads();
  t.is(entries, 3);
  t.true(characters < 2 ** 25);
});
