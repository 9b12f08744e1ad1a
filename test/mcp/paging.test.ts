import test, { type ExecutionContext } from 'ava';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { callTool, connectMcp, type ToolResult } from '#test/mcp.ts';

const COUNT = 371;
/** Characters of a response that assistants keep in their context. */
const BUDGET = 40_000;

let app: TestApp;
let city: string;
let ids: number[];
test.before(async () => {
  app = await startTestApp();
  city = (await app.addCity()).slug;
  const description = 'شقة واسعة قريبة من الخدمات '.repeat(40);
  const listings = Array.from({ length: COUNT }, () => makeListing({ location: { city }, description }));
  await indexListings(app.services, listings);
  ids = listings.map(({ display }) => display.id);
});
test.after.always(() => app?.close());

/** Every page of a tool, by its cursors. */
async function pagesOf(
  t: ExecutionContext,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult[]> {
  const client = await connectMcp(t, app.url, key);
  const pages: ToolResult[] = [];
  let cursor: string | undefined;
  do {
    const page = await callTool(client, name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    t.false(page.isError, JSON.stringify(page.body));
    t.true(page.size <= BUDGET, `${page.size} characters`);
    pages.push(page);
    cursor = page.body.pagination.next_cursor;
  } while (cursor !== undefined);
  return pages;
}

const idsOf = ({ body }: ToolResult): number[] => body.data.map(({ id }: { id: number }) => id);

test('a search by cursors returns every row once and charges for the rows that it shows', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const pages = await pagesOf(t, key, 'searchListings', { city, listing_type: 'rent', limit: 100 });
  t.deepEqual(
    pages.flatMap(idsOf).toSorted((a, b) => a - b),
    ids.toSorted((a, b) => a - b),
  );
  for (const page of pages) t.is(page.body.units, Math.ceil(idsOf(page).length / 10));
  t.is(
    pages.reduce((sum, { body }) => sum + body.units, 0),
    Math.ceil(COUNT / 10),
  );
});
