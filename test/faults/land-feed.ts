import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes today's feed of one source with plots of land, which require no photos. Plots are far apart, so that no two ads
 * are treated as duplicates.
 * @param feedsDir folder that `FEEDS_DIR` points to
 */
export async function writeLandFeed(feedsDir: string, count: number): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const ads = Array.from({ length: count }, (_, at) => ({
    id: `a${at}`,
    text: `أرض للبيع رقم ${at} في موقع مميز على شارعين`,
    purpose: 'بيع',
    type: 'أرض',
    price: String(900_000 + at * 7_000),
    area: String(400 + at * 3),
    city: 'الرياض',
    lat: String(24.5 + (at % 30) / 50),
    lng: String(46.5 + Math.floor(at / 30) / 10),
    updated: `${day}T00:00:00Z`,
  }));
  const folder = join(feedsDir, 'feeds', 'rukn_estates');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${day}.ndjson`), ads.map((ad) => `${JSON.stringify(ad)}\n`).join(''));
}
