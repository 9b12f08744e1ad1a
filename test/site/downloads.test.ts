import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { readDownloads } from '#site/server/assets.ts';
import { listen } from '#test/listen.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('files in the folder of downloads are served as attachments, and no other files', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'client.tgz'), 'archive');
  const downloads = readDownloads(folder);
  const app = new Koa().use(async (context) => {
    await downloads.serve(context, decodeURIComponent(context.path.slice(1)));
  });
  const { url, close } = await listen(createServer(app.callback()));
  t.teardown(close);
  const response = await fetch(`${url}/client.tgz`);
  t.is(response.headers.get('content-type'), 'application/gzip');
  t.regex(response.headers.get('content-disposition') ?? '', /^attachment/);
  t.is(await response.text(), 'archive');
  t.is((await fetch(`${url}/..%2fpackage.json`)).status, 404);
});
