import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const DAY = new Date().toISOString().slice(0, 10);

/**
 * Returns an ad for a plot of land, which requires no photos. Plots are 500 m apart, so that no two ads are
 * treated as duplicates.
 */
export const land = (id: string, at: number, raised = 1): string =>
  JSON.stringify({
    id,
    text: `أرض للبيع رقم ${id} في موقع مميز على شارعين`,
    purpose: 'بيع',
    type: 'أرض',
    price: String(Math.round((900_000 + at * 7_000) * raised)),
    area: String(400 + at * 3),
    city: 'الرياض',
    lat: String(24.5 + (at % 120) / 200),
    lng: String(46.5 + Math.floor(at / 120) / 200),
    updated: `${DAY}T00:00:00Z`,
  });

/** Writes today's feed for one source. @param feedsDir folder that `FEEDS_DIR` points to */
export async function writeFeed(feedsDir: string, lines: readonly string[]): Promise<void> {
  const folder = join(feedsDir, 'feeds', 'rukn_estates');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${DAY}.ndjson`), `${lines.join('\n')}\n`);
}

export const writeLandFeed = (feedsDir: string, count: number): Promise<void> =>
  writeFeed(
    feedsDir,
    Array.from({ length: count }, (_, at) => land(`a${at}`, at)),
  );
