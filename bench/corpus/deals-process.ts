// The comparison of all listings in a process of its own, so that its memory can be measured. Nothing is written.
import { judgeHomes } from '#ingest/deals/compare.ts';
import { readMarkets } from '#ingest/deals/market.ts';
import { createPool } from '#postgres/pool.ts';
import { readConfig } from '#src/config.ts';

export interface DealsOrders {
  /** ISO 8601: the run's own time. */
  at: string;
}

export interface DealsMeasurement {
  compared: number;
  deals: number;
  /** All of it, and the part that reading from Postgres and sorting into the grid took. */
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
    // Each is made into the text that would be written, as in a run.
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
    // Kilobytes; the peak of resident memory, Node's own included.
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
// Also when whoever started this process was killed.
process.on('disconnect', () => process.exit());
