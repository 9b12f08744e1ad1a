import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { CHECKSUMS, readDownloads } from '#domain/process/downloads.ts';
import { serveDownload } from '#site/server/assets.ts';
import { guidePages } from '#site/server/guide-pages.ts';
import { sharedApp } from '#test/app.ts';
import { listen } from '#test/listen.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('the files that were built are served as attachments, and no other files', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'client-1.tgz'), 'archive');
  await writeFile(join(folder, 'state'), 'digest');
  await writeFile(join(folder, CHECKSUMS), `${'a'.repeat(64)}  client-1.tgz\n`);
  const downloads = readDownloads(folder);
  const app = new Koa().use(async (context) => {
    await serveDownload(context, downloads, decodeURIComponent(context.path.slice(1)));
  });
  const { url, close } = await listen(createServer(app.callback()));
  t.teardown(close);
  const response = await fetch(`${url}/client-1.tgz`);
  t.is(response.headers.get('content-type'), 'application/gzip');
  t.regex(response.headers.get('content-disposition') ?? '', /^attachment/);
  t.is(await response.text(), 'archive');
  t.regex(await (await fetch(`${url}/${CHECKSUMS}`)).text(), /^a{64} {2}client-1\.tgz$/m);
  for (const other of ['state', '..%2fpackage.json', 'client-2.tgz'])
    t.is((await fetch(`${url}/${other}`)).status, 404, other);

  const { services } = await sharedApp();
  for (const language of ['en', 'ar'] as const) {
    const source = (own: typeof downloads) =>
      guidePages({ config: services.config, demoKey: null, downloads: own }, language).documents.find(
        ({ path }) => path === '/guides/sdks.md',
      )?.text ?? '';
    const built = source(downloads);
    t.true(built.includes(`npm install ${services.config.siteUrl}/downloads/client-1.tgz`));
    t.true(built.includes('a'.repeat(64)) && !built.includes('pip install'));
    // Without clients, the page tells the operator what to do, and names no file.
    const none = source(readDownloads(join(folder, 'none')));
    t.regex(none, /node clients\/build\/downloads\.ts/);
    t.notRegex(none, /\/downloads\/|npm install|property-listings-client|SHA/);
  }
});

test('without clients, no page of the reference links to a file or imports a client', async (t) => {
  const app = await sharedApp();
  for (const path of ['/reference/search-listings', '/ar/reference/create-export']) {
    const { text } = await app.request(path);
    t.notRegex(text, /\/downloads\/|property[-_]listings/, path);
    t.regex(text, /urllib/, path);
  }
});
