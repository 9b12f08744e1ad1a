import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PMTiles } from 'pmtiles';
import sharp from 'sharp';
import { buildSite } from '#embedded/install/site.mjs';
import { readConfig } from '#src/config.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { tilesFile } from '#test/map-tiles.ts';
import { test } from '#test/test.ts';
import { HAS_CHROMIUM, launch } from './browser/chromium.ts';

/** A tile of 39 km with Riyadh in it. */
const TILE = { zoom: 10, x: 644, y: 439 };
const CENTER = {
  lng: ((TILE.x + 0.5) / 2 ** TILE.zoom) * 360 - 180,
  lat: (Math.atan(Math.sinh(Math.PI * (1 - (2 * (TILE.y + 0.5)) / 2 ** TILE.zoom))) * 180) / Math.PI,
};
/** Color of highways in the light mode. */
const ROAD = [0xe9, 0xd9, 0xa8];

let folder: string;
let file: string;
let app: TestApp;
let without: TestApp;
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiles-'));
  file = join(folder, 'map.pmtiles');
  await writeFile(file, tilesFile(TILE));
  app = await startTestApp({ env: { MAP_TILES_FILE: file } });
  without = await startTestApp();
});
test.after(async () => {
  await Promise.all([app?.close(), without?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const rangeOf = (range: string | null) =>
  fetch(`${app.url}/map.pmtiles`, { headers: range === null ? {} : { Range: range } });

test('map tiles are read in bounded parts, and a replaced file has another entity tag', async (t) => {
  const bytes = tilesFile(TILE);
  const part = await rangeOf('bytes=0-6');
  t.is(part.status, 206);
  t.is(await part.text(), 'PMTiles');
  t.is(part.headers.get('content-range'), `bytes 0-6/${bytes.length}`);
  const all = await rangeOf('bytes=0-16383');
  t.deepEqual(Buffer.from(await all.arrayBuffer()), bytes);
  for (const range of [null, 'bytes=0-', 'bytes=-5', 'bytes=9-8', 'bytes=0-1,3-4', 'bytes=99999999-']) {
    const { status, headers } = await rangeOf(range);
    t.is(status, 416, String(range));
    t.is(headers.get('content-range'), `bytes */${bytes.length}`);
  }
  t.is((await rangeOf(`bytes=${bytes.length}-${bytes.length + 5}`)).status, 416);
  const archive = new PMTiles(`${app.url}/map.pmtiles`);
  t.truthy(await archive.getZxy(TILE.zoom, TILE.x, TILE.y));
  t.is(await archive.getZxy(TILE.zoom, 0, 0), undefined);
  await utimes(file, 1_700_000_000, 1_700_000_000);
  t.not((await rangeOf('bytes=0-6')).headers.get('etag'), part.headers.get('etag'));
  t.is((await fetch(`${without.url}/map.pmtiles`)).status, 404);
});

test('a file that is no file of vector tiles is refused at the start with the remedy', async (t) => {
  const read = () => readConfig({ ...testEnv(), MAP_TILES_FILE: other });
  const other = join(folder, 'other');
  const message = (fault: string) => ({ message: `MAP_TILES_FILE ${other}: ${fault}` });
  t.throws(read, { message: /MAP_TILES_FILE .*ENOENT/ });
  await writeFile(other, 'roads');
  t.throws(read, message('It is no PMTiles file. Make one as docs/run.md describes.'));
  const bytes = tilesFile(TILE);
  bytes[99] = 2;
  await writeFile(other, bytes);
  t.throws(read, message('It has images. Use a file of vector tiles (MVT).'));
  bytes[7] = 2;
  await writeFile(other, bytes);
  t.throws(read, message('It has version 2 of PMTiles. Convert it to version 3: pmtiles convert'));
});

(HAS_CHROMIUM ? test : test.skip)('the map draws roads of the file, and names its source', async (t) => {
  await buildSite(dirname(dirname(import.meta.dirname)));
  const browser = await launch();
  t.teardown(() => browser.close());
  const roadsOf = async ({ url }: TestApp, language: string) => {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    const page = await context.newPage();
    const path = `${language}/explorer?city=all&listing_type=rent&map=${CENTER.lat.toFixed(4)},${CENTER.lng.toFixed(4)},16`;
    await page.goto(url + path);
    await page.waitForSelector('.maplibregl-canvas', { timeout: 60_000 });
    const isDrawn = async (): Promise<boolean> => {
      const { data, info } = await sharp(await page.locator('.map-box').screenshot())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      let found = 0;
      for (let at = 0; at < data.length; at += info.channels)
        if (ROAD.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= 2)) found++;
      return found > info.width;
    };
    const attribution = page.locator('.maplibregl-ctrl-attrib');
    if (url !== app.url) return { drawn: await isDrawn(), attributions: await attribution.count() };
    let drawn = false;
    for (let left = 40; !drawn && left > 0; left--) {
      drawn = await isDrawn();
      if (!drawn) await page.waitForTimeout(250);
    }
    return { drawn, attributions: await attribution.count() };
  };
  for (const language of ['', '/ar']) t.deepEqual(await roadsOf(app, language), { drawn: true, attributions: 1 });
  t.deepEqual(await roadsOf(without, ''), { drawn: false, attributions: 0 });
});
