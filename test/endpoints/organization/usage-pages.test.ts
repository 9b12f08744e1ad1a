import type { Administered } from '#test/administration.ts';
import { administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey } from '#test/factories.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const PAGES = 5;
const PAGE = 50;
const RESULTS = ['2xx', '4xx', '429', '5xx'];

let app: TestApp;
let org: Administered;

test.before(async () => {
  app = await sharedApp();
  org = await administered(app);
  await createKey(app.services, org.id);
});

test('pages of usage repeat and omit no row while calls add rows to the current day', async (t) => {
  const random = seeded(6);
  const { rows: keys } = await app.services.pool.query<{ id: number }>(
    'select id from api_keys where organization_id = $1',
    [org.id],
  );
  /** Adds rows of random calls on two days. @returns how many were new */
  const addRows = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++)
      await app.services.pool.query(
        `insert into usage_days values ($1, (now() at time zone 'UTC')::date - $2::int, $3, $4, $5, 1, 1) on conflict do nothing`,
        [
          org.id,
          random() < 0.5 ? 0 : 1,
          keys[Math.floor(random() * keys.length)]?.id,
          `operation${Math.floor(random() * 40)}`,
          RESULTS[Math.floor(random() * RESULTS.length)],
        ],
      );
  };
  type Row = Record<'day' | 'key_id' | 'endpoint' | 'result', string>;
  const nameOf = ({ day, key_id, endpoint, result }: Row): string => `${day} ${key_id} ${endpoint} ${result}`;
  await addRows(PAGES * PAGE);
  const { rows: before } = await app.services.pool.query<Row>(
    `select u.day::text as day, k.public_id as key_id, u.endpoint, u.result from usage_days u join api_keys k on k.id = u.key_id
      where u.organization_id = $1`,
    [org.id],
  );
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { body, status, text } = await org.get(`/usage?days=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
    t.is(status, 200, text);
    seen.push(...body.data.map(nameOf));
    cursor = body.pagination.next_cursor;
    await addRows(20);
  }
  t.true(pages >= PAGES - 1, `${pages} pages`);
  t.is(new Set(seen).size, seen.length, 'no row is repeated');
  t.deepEqual(
    before.map(nameOf).filter((name) => !seen.includes(name)),
    [],
  );
});
