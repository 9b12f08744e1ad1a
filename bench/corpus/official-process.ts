// Imports official data once.
import { readConfig } from '#src/config.ts';
import { openOfficial } from '#start/official.ts';
import { peakRssMb, serveMeasurement } from '../child.ts';

export interface OfficialMeasurement {
  rows: number;
  seconds: number;
  /** Resident memory in MB after each file. */
  rss_mb: number[];
  peak_rss_mb: number;
}

serveMeasurement(async ({ dir }: { dir: string }): Promise<OfficialMeasurement> => {
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
  return { rows: files.reduce((sum, file) => sum + file.rows, 0), seconds, rss_mb, peak_rss_mb: peakRssMb() };
});
