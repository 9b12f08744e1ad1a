// Compares all listings in a separate process so that peak memory can be measured. Writes nothing.
import { judgeHomes } from '#ingest/deals/compare.ts';
import { readMarkets } from '#ingest/deals/market.ts';
import { createPool } from '#postgres/pool.ts';
import { readConfig } from '#src/config.ts';

export interface DealsOrders {
  /** Clock of the run, ISO 8601. */
  at: string;
}

export interface DealsMeasurement {
  compared: number;
  deals: number;
  /** Total seconds, and seconds for reading from Postgres and sorting into the grid. */
  seconds: number;
  reading_seconds: number;
  peak_rss_mb: number;
}

export type DealsMessage = { type: 'done'; measured: DealsMeasurement } | { type: 'failed'; message: string };

async function measure({ at }: DealsOrders): Promise<DealsMeasurement> {
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
    // `maxRSS` is in kilobytes and includes the Node runtime.
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
  };
}

process.once('message', (orders: DealsOrders) => {
  measure(orders)
    .then((measured) => process.send?.({ type: 'done', measured } satisfies DealsMessage))
    .catch((error: unknown) =>
      process.send?.({ type: 'failed', message: String((error as Error).stack ?? error) } satisfies DealsMessage),
    )
    .finally(() => process.disconnect());
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
