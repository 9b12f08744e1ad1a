import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import examples from '#sample/examples.json' with { type: 'json' };
import { feedOf } from '#sample/feeds.ts';
import { generateSample, type SampleOptions, type SampleSummary } from '#sample/generate.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { folderOfFile, temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** Enough ads to compare the rates of rare faults. */
const OPTIONS = { listings: 12_000, seed: 11, days: 4, until: '2026-03-20', hostUrl: 'http://photos.test' };

const dir = folderOfFile();
let summary: SampleSummary;
test.before(async () => {
  summary = await generateSample({ ...OPTIONS, dir });
});

async function sample(t: ExecutionContext, change: Partial<SampleOptions> = {}): Promise<SampleSummary> {
  return generateSample({ ...OPTIONS, ...change, dir: await temporaryFolder(t) });
}

/** Returns one hash over the names and bytes of all files in a sample folder. */
async function digest(dir: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(dir.length)).update(await readFile(path));
  return hash.digest('hex');
}

test('equal options generate byte-identical samples, and a different seed generates a different sample', async (t) => {
  const digestOf = async (seed: number): Promise<string> => {
    const { dir } = await sample(t, { listings: 600, seed });
    generateOfficialSample({ dir, seed, deals: 300 });
    return digest(dir);
  };
  const one = await digestOf(11);
  t.is(await digestOf(11), one);
  t.not(await digestOf(12), one);
});

test('with a first day, a sample has monthly feeds and one a week before the last days', async (t) => {
  const { live, days } = await sample(t, { listings: 3_000, since: '2026-01-31' });
  t.deepEqual(days, ['2026-01-31', '2026-03-10', '2026-03-17', '2026-03-18', '2026-03-19', '2026-03-20']);
  t.true(Math.abs(live / 3_000 - 1) <= 0.04, `${live} live`);
});

test('every feed of their source has the homes with odd spellings', async (t) => {
  const layout = feedOf(examples.odd_source);
  for (const day of summary.days) {
    const text = await readFile(join(dir, 'feeds', layout.source, `${day}.ndjson`), 'utf8');
    for (const [spellings] of examples.odd)
      for (const [of, spelling] of Object.entries(spellings as object)) {
        const written = JSON.stringify({ [layout.columnOf(of as 'price') as string]: spelling }).slice(1, -1);
        t.true(text.includes(written), `${day} ${written}`);
      }
  }
});
