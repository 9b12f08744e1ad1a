import { component } from '#domain/json-schema.ts';
import type { Dataset } from '../dataset.ts';
import { listingChangesDataset } from './listing-changes.ts';
import { listingsDataset } from './listings.ts';
import { marketMediansDataset } from './market-medians.ts';
import { registeredRentsDataset } from './registered-rents.ts';
import { registeredTransactionsDataset } from './registered-transactions.ts';

export const DATASETS: readonly Dataset[] = [
  listingsDataset,
  listingChangesDataset,
  marketMediansDataset,
  registeredTransactionsDataset,
  registeredRentsDataset,
];

export const DATASET_NAMES: readonly string[] = component(
  'DatasetName',
  DATASETS.map(({ name }) => name),
);

export function datasetOf(name: string): Dataset {
  const dataset = DATASETS.find((each) => each.name === name);
  if (!dataset) throw new Error(`there is no dataset ${name}`);
  return dataset;
}
