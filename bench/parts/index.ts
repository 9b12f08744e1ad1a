import type { Part } from '../bench.ts';
import { chargePart } from './charge.ts';
import { dataPart } from './data.ts';
import { dealsPart } from './deals.ts';
import { dedupePart } from './dedupe.ts';
import { districtsPart } from './districts.ts';
import { exportsPart } from './exports.ts';
import { indexDesignPart } from './index-design.ts';
import { marketPart } from './market.ts';
import { memoryPart } from './memory.ts';
import { mergingPart } from './merging.ts';
import { mixedPart } from './mixed.ts';
import { nearbyPart } from './nearby.ts';
import { percentilesPart } from './percentiles.ts';
import { postgresPart } from './postgres.ts';
import { projectsPart } from './projects.ts';
import { reindexPart } from './reindex.ts';
import { searchPart } from './search.ts';
import { transactionsPart } from './transactions.ts';
import { trendsPart } from './trends.ts';
import { webhooksPart } from './webhooks.ts';

/** In the order in which all are run: the first makes the listings, the last moves them to another index. */
export const PARTS: readonly Part[] = [
  dataPart,
  dedupePart,
  searchPart,
  postgresPart,
  marketPart,
  trendsPart,
  percentilesPart,
  nearbyPart,
  dealsPart,
  memoryPart,
  mixedPart,
  exportsPart,
  transactionsPart,
  districtsPart,
  projectsPart,
  webhooksPart,
  indexDesignPart,
  mergingPart,
  chargePart,
  reindexPart,
];
