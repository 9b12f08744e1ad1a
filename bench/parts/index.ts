import type { Bench, PartResult } from '../bench.ts';
import { charge } from './charge.ts';
import { data } from './data.ts';
import { deals } from './deals.ts';
import { dedupe } from './dedupe.ts';
import { exports } from './exports.ts';
import { map } from './map.ts';
import { market } from './market.ts';
import { metrics } from './metrics.ts';
import { mixed } from './mixed.ts';
import { nearby } from './nearby.ts';
import { percentiles } from './percentiles.ts';
import { postgres } from './postgres.ts';
import { projects } from './projects.ts';
import { reindex } from './reindex.ts';
import { search } from './search.ts';
import { shapes } from './shapes.ts';
import { transactions } from './transactions.ts';
import { webhooks } from './webhooks.ts';

export interface Part {
  name: string;
  summary: string;
  run(bench: Bench): Promise<PartResult>;
}

const part = (run: Part['run'], summary: string): Part => ({ name: run.name, summary, run });

/** In execution order: the first part builds the listings, and the last part moves them to another index. */
export const PARTS: readonly Part[] = [
  part(data, 'ingest of the listings, and its memory at two sizes'),
  part(dedupe, 'duplicates and neighborhoods of generated ads against the ground truth, and of real ads'),
  part(search, 'the API against the same queries sent directly to OpenSearch, at 1 and 8 connections'),
  part(postgres, 'the same requests in Postgres with suitable indexes'),
  part(market, 'market data against Postgres with percentile_cont, uncached and cached'),
  part(percentiles, 'quartiles against exact ones, over every city, type and neighborhood'),
  part(nearby, 'price band and comparables against one raw geo-distance query'),
  part(shapes, 'searches by circle and polygon against a box of the same center and area'),
  part(map, 'map data of boxes of different size, uncached'),
  part(deals, 'seconds and memory of the comparison of all listings'),
  part(mixed, 'an hour’s worth of different requests of all kinds by 64 connections: times, errors, memory'),
  part(metrics, 'throughput with scrapes of the metrics every 15 s compared with none; processor time of a scrape'),
  part(exports, 'rows per second to gzipped files in S3, memory, and searches meanwhile'),
  part(transactions, 'import of a million registered deals; cells and pages against Postgres'),
  part(projects, 'search of 500,000 units of 20,000 projects against that of listings; a change of status'),
  part(webhooks, 'events matched per second, deliveries per second, and delays with an unresponsive receiver'),
  part(charge, 'charges of one call and of eight calls per statement, over many organizations and over one'),
  part(reindex, 'npm run reindex during searches'),
];
