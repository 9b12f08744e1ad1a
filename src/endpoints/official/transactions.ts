import { object } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { coverageOfCity } from '#domain/official/rules.ts';
import { TRANSACTION_SCHEMA, type TransactionDisplay } from '#domain/official/transaction.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { type PositionedRow, pageOfRows, pageParameters, pageSchema } from '#http/pagination.ts';
import { TRANSACTION_FILTERS, transactionFilters } from '#queries/transactions/filters.ts';
import { type TransactionsInput, transactionsBody } from '#queries/transactions/search.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { toParameter } from '../listings/parameters.ts';
import { searchIndex } from '../search-index.ts';
import { coverageSchema, OFFICIAL, OPEN_DATA_NOTE, registeredSchema } from './common.ts';

interface TransactionsResponse {
  hits: { hits: readonly { _source: { display: TransactionDisplay }; sort: [string, number, number] }[] };
}

type Row = PositionedRow<TransactionDisplay>;

const readRows = ({ hits }: TransactionsResponse): Row[] =>
  hits.hits.map(({ _source, sort: [, month, order] }) => ({ row: _source.display, position: [month, order] }));

/** Only first pages are cached, because they are requested often and change only with an import. */
const readFirstRows = cachedAggregation<TransactionsInput, TransactionsResponse>({
  name: 'transactions',
  index: 'transactions',
  cost: 'small',
  body: transactionsBody,
  present: readRows,
});

export const listTransactions = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/transactions',
  operationId: 'listTransactions',
  load: 'light',
  summary: 'List registered sale transactions',
  description: `Returns the sale deals in one city, as registered and published by the Ministry of Justice, newest month first. Deal dates are precise to the month. Ministry districts are matched to neighborhoods; a deal in an unmatched district has only \`ministry_district_ar\`. Plan, parcel and deed numbers are not stored. ${OPEN_DATA_NOTE}`,
  parameters: [...TRANSACTION_FILTERS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(TRANSACTION_SCHEMA, { coverage: object(coverageSchema), ...registeredSchema }),
  prefetch: async (call) => {
    const { query, cursor } = call;
    const filters = { filters: transactionFilters(query), size: query.limit + 1, after: cursor?.after };
    const rows = cursor
      ? searchIndex<TransactionsResponse>(call, 'transactions', transactionsBody(filters)).then(readRows)
      : readFirstRows({ ...call, filters }).then((json) => JSON.parse(json) as Row[]);
    const [found, loaded] = await Promise.all([rows, call.services.loadedQuarters.read()]);
    return { found, loaded };
  },
  handle: async (call, prefetch) => {
    const { query } = call;
    const { found, loaded } = await prefetch;
    const list = { name: 'transactions', filters: transactionFilters(query) };
    const page = await pageOfRows(call, list, async (size) => found.slice(0, size));
    return {
      body: {
        ...page,
        coverage: coverageOfCity(call.services.officialRules, query.city, loaded),
        price_source: 'registered',
        attribution: attributionOf('justice_transactions'),
      },
    };
  },
});
