import type { Client } from '@modelcontextprotocol/client';
import type { ExecutionContext } from 'ava';
import type { StoredListing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { callTool, connectMcp, type ToolResult } from './client.ts';

const COUNT = 371;
/** Maximum characters of a response that assistants keep in their context. */
const BUDGET = 40_000;

// Fewer bytes than the uncompressed pages of neighborhoods.
let app: TestApp;
let city: string;
const description = 'شقة واسعة قريبة من الخدمات '.repeat(40);
let listings: StoredListing[];
let ids: number[];
test.before(async () => {
  app = await startTestApp({ env: { FREE_BYTES_PER_MINUTE: '100000' } });
  city = (await app.addCity()).slug;
  listings = Array.from({ length: COUNT }, () => makeListing({ location: { city }, description }));
  await indexListings(app.services, listings);
  ids = listings.map(({ display }) => display.id);
});
test.after(() => app.close());

async function connectAs(t: ExecutionContext, plan: 'free' | 'enterprise'): Promise<Client> {
  const { key } = await createOrganization(app.services, { plan });
  return connectMcp(t, app.url, key);
}

/** Reads all pages of a tool by cursor. */
async function pagesOf(
  t: ExecutionContext,
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult[]> {
  const pages: ToolResult[] = [];
  let cursor: string | undefined;
  do {
    const page = await callTool(client, name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    t.false(page.isError, JSON.stringify(page.body));
    t.true(page.size <= BUDGET, `${page.size} characters`);
    pages.push(page);
    cursor = page.body.pagination?.next_cursor;
    t.deepEqual(page.structured, page.body);
  } while (cursor !== undefined);
  return pages;
}

const idsOf = ({ body }: ToolResult): number[] => body.data.map(({ id }: { id: number }) => id);

test('a search by cursor returns every row once, charges for the returned rows, and states what it left out', async (t) => {
  const client = await connectAs(t, 'enterprise');
  const pages = await pagesOf(t, client, 'searchListings', { city, listing_type: 'rent', limit: 10 });
  t.deepEqual(
    pages.flatMap(idsOf).toSorted((a, b) => a - b),
    ids.toSorted((a, b) => a - b),
  );
  for (const page of pages) {
    t.is(page.body.units, Math.ceil(idsOf(page).length / 10));
    t.true(idsOf(page).length <= 10);
    t.deepEqual(page.body.left_out, { fields: ['description'] });
  }
  t.is(
    pages.reduce((sum, { body }) => sum + body.units, 0),
    Math.ceil(COUNT / 10),
  );
});

test('a tool returns a long unpaged list in pages, and their compressed bytes count as free bytes', async (t) => {
  const neighborhoods = Array.from({ length: 600 }, (_, at) => ({ id: 910_000_000 + at, name_en: `Hay ${at}` }));
  const { slug } = await app.addCity({}, neighborhoods);
  const client = await connectAs(t, 'enterprise');
  const pages = await pagesOf(t, client, 'listNeighborhoods', { city: slug });
  t.true(pages.length > 1);
  t.deepEqual(
    pages.flatMap(idsOf).toSorted((a, b) => a - b),
    neighborhoods.map(({ id }) => id),
  );
  let before = 0;
  for (const page of pages) {
    const shown = idsOf(page).length;
    t.is(page.body.units, 0);
    t.deepEqual(page.body.left_out.rows, { list: 'data', before, after: 600 - before - shown });
    before += shown;
  }
  const cursor = pages[0]?.body.pagination.next_cursor;
  const other = await callTool(client, 'listNeighborhoods', { city, cursor });
  t.like(other.body, { status: 400, error: { code: 'invalid_cursor', param: 'cursor', type: 'invalid_request' } });
});
