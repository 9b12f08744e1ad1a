import { imageSize } from 'image-size';
import { generateSample } from '#sample/generate.ts';
import { type SampleHost, startSampleHost } from '#sample/host.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

let host: SampleHost;
const dir = folderOfFile();

test.before(async () => {
  host = await startSampleHost({ dir, port: 0, pageSize: 50 });
  const options = { dir, listings: 1500, seed: 4, days: 3, until: '2026-03-20', hostUrl: host.url };
  await generateSample(options);
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
