import type { Part } from '../bench.ts';
import { chargePart } from './charge.ts';
import { dataPart } from './data.ts';
import { dealsPart } from './deals.ts';
import { dedupePart } from './dedupe.ts';
import { exportsPart } from './exports.ts';
import { mapPart } from './map.ts';
import { marketPart } from './market.ts';
import { metricsPart } from './metrics.ts';
import { mixedPart } from './mixed.ts';
import { nearbyPart } from './nearby.ts';
import { percentilesPart } from './percentiles.ts';
import { postgresPart } from './postgres.ts';
import { projectsPart } from './projects.ts';
import { reindexPart } from './reindex.ts';
import { searchPart } from './search.ts';
import { shapesPart } from './shapes.ts';
import { transactionsPart } from './transactions.ts';
import { webhooksPart } from './webhooks.ts';

/** In execution order: the first part builds the listings, and the last part moves them to another index. */
export const PARTS: readonly Part[] = [
  dataPart,
  dedupePart,
  searchPart,
  postgresPart,
  marketPart,
  percentilesPart,
  nearbyPart,
  shapesPart,
  mapPart,
  dealsPart,
  mixedPart,
  metricsPart,
  exportsPart,
  transactionsPart,
  projectsPart,
  webhooksPart,
  chargePart,
  reindexPart,
];
