import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cleanup } from '#app/start/cleanup.ts';
import { followSynonyms } from '#app/start/synonyms.ts';
import { loadSynonyms, synonymsAt, synonymsVersion } from '#queries/text/synonyms.ts';
import { readWordList } from '#queries/text/word-lists.ts';
import { templateOf } from '#stores/opensearch/templates.ts';
import { readSearchProcesses } from '#stores/postgres/search-processes.ts';
import { sharedApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('an edited list of synonyms is used without a restart, an invalid or empty one is refused, and both are recorded', async (t) => {
  const { services } = await sharedApp();
  const file = join(await temporaryFolder(t), 'synonyms.txt');
  const cleanup = new Cleanup();
  t.teardown(async () => {
    await cleanup.run(t.log);
    loadSynonyms(readWordList('synonyms.txt'));
  });
  const recorded = () => readSearchProcesses(services.pool);
  const webhooks = () => templateOf('webhooks').mappings._meta.digest;
  const [before, digest] = [synonymsVersion(), webhooks()];
  await writeFile(file, '');
  await followSynonyms(services, cleanup, { file, checkEvery: 20 });
  t.deepEqual(
    (await recorded()).map(({ synonyms }) => synonyms),
    [before],
  );

  await writeFile(file, '# comment\nكوكب => planet\n');
  await eventually(() => synonymsAt(['كوكب'], 0).get(1)?.includes('planet') === true);
  const loaded = synonymsVersion();
  await eventually(async () => (await recorded())[0]?.synonyms === loaded);
  t.not(loaded, before);
  t.not(webhooks(), digest, 'stored filters of webhooks contain synonyms');

  await writeFile(file, 'the planet, كوكب and more');
  await eventually(async () => (await recorded())[0]?.problem?.includes('stop word "the"') === true);
  t.is(synonymsVersion(), loaded);

  // As an editor or a copy leaves it for a moment.
  await writeFile(file, '');
  await eventually(async () => (await recorded())[0]?.problem?.includes('is empty') === true);
  t.is(synonymsVersion(), loaded);
  await writeFile(file, '# no synonyms\n');
  await eventually(() => synonymsAt(['كوكب'], 0).size === 0);
  await cleanup.run(t.log);
  t.deepEqual(await recorded(), [], 'no longer after the end of the process');
});
