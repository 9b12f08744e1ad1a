import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogFile } from '#start/log-file.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const MAX_BYTES = 1_000;

test('the log files have a bounded size and contain the newest lines, also those written during a rotation', async (t) => {
  const dir = await temporaryFolder(t);
  const file = join(dir, 'service.log');
  const names = ['service.log.3', 'service.log.2', 'service.log.1', 'service.log'];
  const written: string[] = [];
  for (let start = 0; start < 60; start++) {
    const log = await openLogFile(file, MAX_BYTES);
    for (let line = 0; line < 5; line++) {
      const text = `line ${written.length} ${'x'.repeat(50)}`;
      written.push(text);
      log.write(`${text}\n`);
    }
    await log.close();
  }
  t.deepEqual((await readdir(dir)).sort(), [...names].sort());
  for (const name of names) t.true((await stat(join(dir, name))).size < 2 * MAX_BYTES, name);
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  const kept = texts.join('').trimEnd().split('\n');
  t.deepEqual(kept, written.slice(-kept.length));
  t.true(kept.length > 3 * Math.floor(MAX_BYTES / 60));
});
