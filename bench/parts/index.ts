import type { Part } from '../bench.ts';
import { chargePart } from './charge.ts';
import { dataPart } from './data.ts';
import { dedupePart } from './dedupe.ts';
import { indexDesignPart } from './index-design.ts';
import { postgresPart } from './postgres.ts';
import { reindexPart } from './reindex.ts';
import { searchPart } from './search.ts';

/** In the order in which all are run: the first makes the listings, the last moves them to another index. */
export const PARTS: readonly Part[] = [
  dataPart,
  dedupePart,
  searchPart,
  postgresPart,
  indexDesignPart,
  chargePart,
  reindexPart,
];
