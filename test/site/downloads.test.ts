import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { Downloads } from '#site/server/downloads.ts';
import { guidePages } from '#site/server/guides.ts';
import { listen } from '#test/listen.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('files in the folder of downloads are served as attachments, and no other files', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'client.tgz'), 'archive');
  await writeFile(join(folder, 'client.postman.json'), '{}');
  const downloads = new Downloads(folder);
  const app = new Koa().use(async (context) => {
    await downloads.serve(context, decodeURIComponent(context.path.slice(1)));
  });
  const { url, close } = await listen(createServer(app.callback()));
  t.teardown(close);
  for (const [file, type, content] of [
    ['client.tgz', 'application/gzip', 'archive'],
    ['client.postman.json', 'application/json', '{}'],
  ] as const) {
    const response = await fetch(`${url}/${file}`);
    t.is(response.headers.get('content-type'), type);
    t.regex(response.headers.get('content-disposition') ?? '', /^attachment/);
    t.is(await response.text(), content);
  }
  t.is((await fetch(`${url}/..%2fpackage.json`)).status, 404);
});

test('the guide of the clients names the URLs of the downloads, or the folder if there are none', async (t) => {
  const folder = await temporaryFolder(t);
  const config = { serviceName: '', siteUrl: 'https://example.com', baseUrl: '', cdnUrl: '', contactUrl: null };
  const commands = (downloads: Downloads): string =>
    guidePages({ config, demoKey: null, downloads } as never, 'en').documents.find(({ path }) => path.includes('sdks'))
      ?.text ?? '';
  t.regex(commands(new Downloads(folder)), /npm install site\/downloads\/property-listings-client\.tgz/);
  await writeFile(join(folder, 'property-listings-client.tgz'), '');
  t.regex(
    commands(new Downloads(folder)),
    /pip install https:\/\/example\.com\/downloads\/property-listings-client\.tar\.gz/,
  );
});
