import { imageSize } from 'image-size';
import { generateSample, type SampleSummary } from '#sample/generate.ts';
import { type SampleHost, startSampleHost } from '#sample/host.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

let host: SampleHost;
let sample: SampleSummary;
const dir = folderOfFile();
const DAYS = ['2026-03-18', '2026-03-19', '2026-03-20'];

test.before(async () => {
  host = await startSampleHost({ dir, port: 0, pageSize: 50 });
  const options = { dir, listings: 1500, seed: 4, days: 3, until: '2026-03-20', hostUrl: host.url };
  sample = await generateSample(options);
});

test.after(() => host.close());

test('the sample host returns equal bytes or 304 for one photo address and different bytes for two', async (t) => {
  const bytes = new Set<string>();
  const names = Array.from({ length: 60 }, (_, at) => `house-${at + 1}-0.jpg`);
  for (const name of names) {
    const answer = await fetch(`${host.url}/photos/${name}`);
    const body = new Uint8Array(await answer.arrayBuffer());
    t.like(imageSize(body), { width: 480, height: 320, type: 'jpg' });
    bytes.add(Buffer.from(body).toString('base64'));
    const etag = answer.headers.get('etag') ?? '';
    const unchanged = await fetch(`${host.url}/photos/${name}`, { headers: { 'if-none-match': etag } });
    t.is(unchanged.status, 304);
    const again = await fetch(`${host.url}/photos/${name}`);
    t.deepEqual(new Uint8Array(await again.arrayBuffer()), body);
  }
  t.is(bytes.size, names.length);
});

interface NextLinkPage {
  items: unknown[];
  next: string | null;
}

function expectedRows(sample: SampleSummary, source: string, day: string): number {
  return sample.feeds.find((feed) => feed.source === source)?.days[day] ?? -1;
}

test('each sample host page contains the URL of the next page', async (t) => {
  for (const day of DAYS) {
    let next: string | null = `${host.url}/feeds/manzil_ksa?day=${day}&page=1`;
    let items = 0;
    while (next !== null) {
      const page = (await (await fetch(next)).json()) as NextLinkPage;
      t.true(page.items.length <= 50);
      items += page.items.length;
      next = page.next;
    }
    t.is(items, expectedRows(sample, 'manzil_ksa', day));
  }
});

test('the sample host serves pages by number', async (t) => {
  const url = `${host.url}/feeds`;
  let items = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await (await fetch(`${url}/safwat_dur?page=${page}`)).json();
    const body = answer as { total_pages: number; data: unknown[]; count: number };
    pages = body.total_pages;
    items += body.data.length;
    t.is(body.count, expectedRows(sample, 'safwat_dur', '2026-03-20'));
  }
  t.is(items, expectedRows(sample, 'safwat_dur', '2026-03-20'));
  let hits = 0;
  for (let page = 1, more = true; more; page++) {
    const answer = await (await fetch(`${url}/wateed_aqari?day=2026-03-19&page=${page}`)).json();
    const { result } = answer as { result: { has_more: boolean; hits: unknown[] } };
    hits += result.hits.length;
    more = result.has_more;
  }
  t.is(hits, expectedRows(sample, 'wateed_aqari', '2026-03-19'));
});

test('the sample host returns the newest feed for a later day, and 404 for an earlier day, an unknown source or a CSV source', async (t) => {
  const url = `${host.url}/feeds`;
  const later = (await (await fetch(`${url}/manzil_ksa?day=2026-04-30`)).json()) as NextLinkPage;
  const last = (await (await fetch(`${url}/manzil_ksa?day=2026-03-20`)).json()) as NextLinkPage;
  t.deepEqual(later.items, last.items);
  for (const path of ['manzil_ksa?day=2026-03-01', 'nobody', 'aqarna', '../truth.ndjson']) {
    t.is((await fetch(`${url}/${path}`)).status, 404, path);
  }
  const beyond = (await (await fetch(`${url}/manzil_ksa?page=9999`)).json()) as NextLinkPage;
  t.deepEqual(beyond, { items: [], next: null });
  t.is((await fetch(`${url}/manzil_ksa?page=0`)).status, 400);
});
