import type { TestApp, TestResponse } from './app.ts';

type App = Pick<TestApp, 'request'>;

/**
 * Yields the responses for all pages of a list within the paging depth.
 * @param path path and query without `cursor`
 * @throws Error if the status of a response is not 200
 */
export async function* pagesOf(app: App, path: string, key: string): AsyncGenerator<TestResponse> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const separator = path.includes('?') ? '&' : '?';
    const page = await app.request(cursor === '' ? path : `${path}${separator}cursor=${cursor}`, { key });
    if (page.status !== 200) throw new Error(`${path}: ${page.status} ${page.text}`);
    const { has_more, next_cursor, result_window_reached } = page.body.pagination;
    if (has_more !== (next_cursor !== null)) throw new Error('pagination');
    yield page;
    cursor = result_window_reached ? null : next_cursor;
  }
}

/** Returns the rows of all pages of a list. */
// biome-ignore lint/suspicious/noExplicitAny: rows of a response under test
export async function allRows(app: App, path: string, key: string): Promise<any[]> {
  const rows = [];
  for await (const { body } of pagesOf(app, path, key)) rows.push(...body.data);
  return rows;
}

/** Returns the rows of all pages of a list as they appear in the response texts. */
export async function rowTexts(app: App, path: string, key: string): Promise<string[]> {
  const rows: string[] = [];
  for await (const { text } of pagesOf(app, path, key))
    rows.push(...text.slice('{"data":['.length, text.lastIndexOf('],"pagination":')).split(/(?<=\}),(?=\{"id":)/));
  return rows;
}
