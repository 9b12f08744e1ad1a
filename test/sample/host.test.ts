import { imageSize } from 'image-size';
import { type SampleHost, startSampleHost } from '#sample/host.ts';
import { test } from '#test/test.ts';

let host: SampleHost;
test.before(async () => {
  host = await startSampleHost();
});
test.after(() => host.close());

test('the sample host returns equal bytes or 304 for one photo address and different bytes for two', async (t) => {
  const bytes = new Set<string>();
  const names = ['house', 'block', 'tower', 'plot', 'street'].flatMap((look) => [`${look}-7-0.jpg`, `${look}-8-0.jpg`]);
  for (const name of names) {
    const [answer, again] = [await fetch(`${host.url}/photos/${name}`), await fetch(`${host.url}/photos/${name}`)];
    const body = new Uint8Array(await answer.arrayBuffer());
    t.like(imageSize(body), { width: 480, height: 320, type: 'jpg' });
    t.deepEqual(new Uint8Array(await again.arrayBuffer()), body);
    bytes.add(Buffer.from(body).toString('base64'));
    const unchanged = await fetch(answer.url, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    t.is(unchanged.status, 304);
  }
  t.is(bytes.size, names.length);
  for (const path of ['photos/x.png', 'feeds/aqarna', '../truth.ndjson'])
    t.is((await fetch(`${host.url}/${path}`)).status, 404, path);
});
