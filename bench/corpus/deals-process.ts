// Compares all listings in memory, without writing anything.
import { judgeHomes } from '#ingest/deals/compare.ts';
import { readMarkets } from '#ingest/deals/market.ts';
import { createPool } from '#postgres/pool.ts';
import { readConfig } from '#src/config.ts';
import { peakRssMb, serveMeasurement } from '../child.ts';

export interface DealsMeasurement {
  compared: number;
  deals: number;
  /** Total seconds, and seconds spent reading from Postgres and sorting into the grid. */
  seconds: number;
  reading_seconds: number;
  peak_rss_mb: number;
}

serveMeasurement(measure);

/** @param at time of the run, ISO 8601 */
async function measure({ at }: { at: string }): Promise<DealsMeasurement> {
  const { databaseUrl } = readConfig(process.env);
  const pool = createPool(databaseUrl, { max: 2, statementTimeout: 900_000, name: 'bench-deals' });
  const begun = performance.now();
  let comparing = 0;
  let compared = 0;
  let deals = 0;
  for await (const homes of readMarkets({ pool, run: { at: new Date(at) }, signal: new AbortController().signal })) {
    const from = performance.now();
    // Renders the text of each row, as an ingest run does.
    for (const { verdict } of judgeHomes(homes))
      if (verdict.kind === 'deal' && JSON.stringify(verdict).length > 0) deals++;
    comparing += performance.now() - from;
    compared += homes.size;
  }
  const taken = performance.now() - begun;
  await pool.end();
  return {
    compared,
    deals,
    seconds: taken / 1000,
    reading_seconds: (taken - comparing) / 1000,
    peak_rss_mb: peakRssMb(),
  };
}
