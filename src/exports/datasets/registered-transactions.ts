import { publishedQuarters } from '#domain/official/rules.ts';
import { TRANSACTION_SCHEMA, type TransactionDisplay } from '#domain/official/transaction.ts';
import { filterProperties } from '#queries/filters/compile.ts';
import { TRANSACTION_FILTERS } from '#queries/transactions/filters.ts';
import { exportTransactionsFilter, type JsonTransactionFilters } from '#queries/transactions/search.ts';
import { readLoadedQuarters } from '#stores/postgres/official.ts';
import type { Dataset } from '../dataset.ts';
import { openDataTerms, requireMonths } from './open-data.ts';
import { countMatches, openSnapshot, readPages } from './read-listings.ts';

interface Hit {
  _source: { display: TransactionDisplay };
  sort: [number];
}

/** Returns the same rows as `GET /transactions`. */
export const registeredTransactionsDataset: Dataset = {
  name: 'registered_transactions',
  description:
    'registered sale deals, with the filters of `GET /v1/transactions` as JSON; `city` takes several values and defaults to all',
  scope: null,
  free: true,
  filters: { properties: filterProperties(TRANSACTION_FILTERS), required: [] },
  async requirePeriods(filters, db) {
    const { city, month_from, month_to } = filters as JsonTransactionFilters;
    if (city ?? month_from ?? month_to)
      requireMonths({ city, month_from, month_to }, publishedQuarters(city ?? null, await readLoadedQuarters(db)));
  },
  row: TRANSACTION_SCHEMA,
  terms: () =>
    openDataTerms('justice_transactions', [
      'A deal is dated to its month. Districts are matched to neighborhoods by this service; without a match only ministry_district_ar is set.',
      'Files that state no land-use class have deals of the class other. GET /v1/transactions lists their quarters in coverage.notes.',
      'Riyadh deals from 2024-Q1 on do not include deals of the real estate registry. Riyadh deals after 2026-05-18 and the quarters 2020-Q2 and 2023-Q1 are not included. GET /v1/transactions returns the coverage.',
    ]),
  async open(source) {
    const { services, filters, signal } = source;
    const filter = exportTransactionsFilter(filters as JsonTransactionFilters);
    return openSnapshot(source, 'transactions', async (pit) => ({
      count: await countMatches(services, filter, pit),
      async *rows() {
        for await (const hits of readPages<Hit>(services, filter, pit, signal))
          yield hits.map(({ _source }) => [Buffer.from(JSON.stringify(_source.display))]);
      },
    }));
  },
};
