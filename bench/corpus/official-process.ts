// Imports official data once in a separate process so that peak memory can be measured.

import { readConfig } from '#src/config.ts';
import { openOfficial } from '#start/official.ts';

export interface OfficialOrders {
  dir: string;
}

export interface OfficialMeasurement {
  rows: number;
  seconds: number;
  /** Resident memory in MB after each file. */
  rss_mb: number[];
  peak_rss_mb: number;
}

export type OfficialMessage = { type: 'done'; measured: OfficialMeasurement } | { type: 'failed'; message: string };

async function measure({ dir }: OfficialOrders): Promise<OfficialMeasurement> {
  const official = openOfficial(readConfig(process.env));
  const rss_mb: number[] = [];
  const begun = performance.now();
  const files = await official.import(dir, {
    onFile: () => rss_mb.push(Math.round(process.memoryUsage().rss / 1024 ** 2)),
  });
  const seconds = (performance.now() - begun) / 1000;
  await official.close();
  const bad = files.find(({ status }) => status !== 'imported');
  if (bad) throw new Error(`${bad.name}: ${bad.status} ${bad.detail}`);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  // `maxRSS` is in kilobytes and includes the Node runtime.
  return { rows, seconds, rss_mb, peak_rss_mb: process.resourceUsage().maxRSS / 1024 };
}

process.once('message', (orders: OfficialOrders) => {
  measure(orders)
    .then((measured) => process.send?.({ type: 'done', measured } satisfies OfficialMessage))
    .catch((error: unknown) =>
      process.send?.({ type: 'failed', message: String((error as Error).stack ?? error) } satisfies OfficialMessage),
    )
    .finally(() => process.disconnect());
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
