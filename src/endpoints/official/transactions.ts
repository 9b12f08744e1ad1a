import { object } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { coverageOfCity } from '#domain/official/rules.ts';
import { TRANSACTION_SCHEMA, type TransactionDisplay } from '#domain/official/transaction.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { TRANSACTION_FILTERS, transactionFilters } from '#queries/transactions/filters.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { defineEndpoint } from '#src/http/endpoint.ts';
import { type PositionedRow, pageOfRows, pageParameters, pageSchema } from '#src/http/pagination.ts';
import { toParameter } from '../listings/parameters.ts';
import { searchIndex } from '../search-index.ts';
import { coverageSchema, OFFICIAL, OPEN_DATA_NOTE, registeredSchema } from './common.ts';

interface TransactionsResponse {
  hits: { hits: readonly { _source: { display: TransactionDisplay }; sort: [string, number, number] }[] };
}

export const listTransactions = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/transactions',
  operationId: 'listTransactions',
  queue: 'searches',
  summary: 'List registered sale transactions',
  description: `Returns the sale deals in one city, as registered and published by the Ministry of Justice, newest month first. Deal dates are precise to the month. Ministry districts are matched to neighborhoods; a deal in an unmatched district has only \`ministry_district_ar\`. Plan, parcel and deed numbers are not stored. ${OPEN_DATA_NOTE}`,
  parameters: [...TRANSACTION_FILTERS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(TRANSACTION_SCHEMA, { coverage: object(coverageSchema), ...registeredSchema }),
  handle: async (call) => {
    const { query, services } = call;
    const filters = transactionFilters(query);
    const read = async (size: number, after: SortPosition | null): Promise<PositionedRow<TransactionDisplay>[]> => {
      const body = transactionsBody({ filters, size, after });
      const { hits } = await searchIndex<TransactionsResponse>(call, 'transactions', body);
      return hits.hits.map(({ _source, sort: [, month, order] }) => ({
        row: _source.display,
        position: [month, order],
      }));
    };
    const [page, loaded] = await Promise.all([
      pageOfRows(call, { name: 'transactions', filters }, read),
      services.loadedQuarters.read(),
    ]);
    return {
      body: {
        ...page,
        coverage: coverageOfCity(query.city, loaded),
        price_source: 'registered',
        attribution: attributionOf('justice_transactions'),
      },
    };
  },
});
