import type { Dataset } from '../dataset.ts';
import { listingChangesDataset } from './listing-changes.ts';
import { listingsDataset } from './listings.ts';

/** What can be exported, by name. */
const DATASETS: ReadonlyMap<string, Dataset> = new Map(
  [listingsDataset, listingChangesDataset].map((dataset) => [dataset.name, dataset]),
);

export const DATASET_NAMES = [...DATASETS.keys()];

export function datasetOf(name: string): Dataset {
  const dataset = DATASETS.get(name);
  if (!dataset) throw new Error(`there is no dataset ${name}`);
  return dataset;
}
