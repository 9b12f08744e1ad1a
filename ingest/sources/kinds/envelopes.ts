import { isJsonRow } from './ndjson-file.ts';
import type { JsonPage } from './paged-json.ts';

/** Readers of common page formats. Each throws if the page has another format. */

/** Reads `{items: [...], next: "<address>" | null}`, with an optional `total`, the number of rows on all pages. */
export function nextLink(body: unknown): JsonPage {
  if (!isJsonRow(body) || !Array.isArray(body.items)) throw unknownShape('items');
  if (typeof body.next !== 'string' && body.next !== null) throw unknownShape('next');
  return { rows: body.items, next: body.next, total: announced(body.total) };
}

/** Reads `{page, total_pages, data: [...]}`, with an optional `count`, the number of rows on all pages. */
export function totalPages(body: unknown, address: URL): JsonPage {
  if (!isJsonRow(body) || !Array.isArray(body.data)) throw unknownShape('data');
  const { page, total_pages: total } = body;
  if (typeof page !== 'number' || typeof total !== 'number') throw unknownShape('page and total_pages');
  return {
    rows: body.data,
    next: page < total ? pageAddress(address, page + 1) : null,
    total: announced(body.count),
  };
}

/** Reads `{status: 'ok', result: {page, has_more, hits: [...]}}`, with an optional `total` of rows in the result. */
export function hasMore(body: unknown, address: URL): JsonPage {
  const result = isJsonRow(body) && body.status === 'ok' ? body.result : null;
  if (!isJsonRow(result) || !Array.isArray(result.hits)) throw unknownShape('result.hits');
  if (typeof result.page !== 'number' || typeof result.has_more !== 'boolean') throw unknownShape('result.has_more');
  return {
    rows: result.hits,
    next: result.has_more ? pageAddress(address, result.page + 1) : null,
    total: announced(result.total),
  };
}

function announced(total: unknown): number | null {
  return typeof total === 'number' ? total : null;
}

function pageAddress(address: URL, page: number): string {
  const next = new URL(address);
  next.searchParams.set('page', String(page));
  return next.href;
}

function unknownShape(missing: string): Error {
  return new Error(`a page without ${missing}: the host has changed its format`);
}
