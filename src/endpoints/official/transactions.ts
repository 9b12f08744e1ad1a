import { ApiError } from '#domain/errors.ts';
import { object } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { coverageOfCity, OFFICIAL_RULES } from '#domain/official/rules.ts';
import { TRANSACTION_SCHEMA, type TransactionDisplay } from '#domain/official/transaction.ts';
import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { page } from '#http/pagination.ts';
import { readLoadedQuarters } from '#postgres/official.ts';
import { type TransactionFilters, transactionRows } from '#queries/transactions/filters.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { indexNames } from '#search/client.ts';
import { cursorParameter, limitParameter, toParameter } from '../listings/parameters.ts';
import { coverageSchema, OFFICIAL, OPEN_DATA_NOTE, registeredSchema } from './common.ts';

type TransactionsQuery = TransactionFilters & { limit: number; cursor?: string };

interface TransactionsAnswer {
  hits: { hits: readonly { _source: { display: TransactionDisplay }; sort: [string, number, number] }[] };
}

/** Binds cursors of transactions to them. */
const SORT = 'transactions';

const rows = page(TRANSACTION_SCHEMA) as { properties: Record<string, object> };

export const listTransactions = defineEndpoint<object, TransactionsQuery, unknown, TransactionsAnswer>({
  method: 'GET',
  audience: 'data',
  ...OFFICIAL,
  path: '/v1/transactions',
  operationId: 'listTransactions',
  summary: 'Registered sale deals',
  description: `Sale deals of one city as the justice ministry registered and published them, newest month first. A deal is dated to the month. Districts are matched to neighborhoods; where that was not possible \`ministry_district_ar\` is all there is. Plan, parcel and deed numbers are not kept. ${OPEN_DATA_NOTE}`,
  paged: true,
  parameters: [...transactionRows.map(toParameter), limitParameter, cursorParameter],
  response: object({ ...rows.properties, coverage: object(coverageSchema), ...registeredSchema }),
  errors: ['unknown_city', 'invalid_cursor', 'result_window_exceeded'],
  prefetch: ({ query, cursor, services }) => {
    const { limit } = query;
    const body = transactionsBody({ filters: filtersOf(query), size: limit + 1, after: cursor?.after });
    return services.search.search(indexNames(services.config.opensearch.indexPrefix).transactions, body);
  },
  handle: async ({ query, cursor, caller, services }, prefetch) => {
    const filters = filtersOf(query);
    const fingerprint = cursorFingerprint(caller.organization, SORT, filters);
    if (cursor && !cursor.fingerprint.equals(fingerprint)) throw new ApiError('invalid_cursor', { param: 'cursor' });
    const [{ hits }, loaded] = await Promise.all([prefetch, readLoadedQuarters(services.pool)]);
    const offset = cursor?.offset ?? 0;
    const limit = Math.min(query.limit, caller.paging_depth - offset);
    const found = hits.hits.slice(0, limit);
    const more = hits.hits.length > limit;
    const reached = offset + found.length;
    const last = found.at(-1)?.sort;
    const state = last && { offset: reached, after: [last[1], last[2]] as const, fingerprint };
    return {
      body: {
        data: found.map(({ _source }) => _source.display),
        pagination: {
          limit: query.limit,
          next_cursor: more && state ? encodeCursor(state, services.config.cursorSecrets) : null,
          has_more: more,
          result_window_reached: more && reached >= caller.paging_depth,
        },
        coverage: coverageOfCity(OFFICIAL_RULES, query.city, loaded),
        price_source: 'registered',
        attribution: attributionOf('justice_transactions'),
      },
    };
  },
});

/** The filters of a query, without what pages it. */
function filtersOf(query: TransactionsQuery): TransactionFilters {
  const given: Readonly<Record<string, unknown>> = query;
  const filters = transactionRows.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return { ...Object.fromEntries(filters), city: query.city };
}
