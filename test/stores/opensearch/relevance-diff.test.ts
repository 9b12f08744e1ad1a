import { readFile } from 'node:fs/promises';
import { type ListedLine, listedLines, TEMPLATE_FOLDER } from '#queries/text/word-lists.ts';
import { diffRelevance } from '#stores/opensearch/relevance/diff.ts';
import { readVersion, WORKING_TREE } from '#stores/opensearch/relevance/versions.ts';
import { expandAnalysis } from '#stores/opensearch/templates.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
test.after(() => own.remove());

test('a diff of the files lists each gained and lost result with its tokens and lines, of several edits at once', async (t) => {
  const now = await readVersion(own.client, WORKING_TREE);
  const read = async (file: string) => readFile(new URL(file, TEMPLATE_FOLDER), 'utf8');
  const synonyms = listedLines(`${await read('synonyms.txt')}\nمسبح, zorbing\n`.replace(/^house => .*\n/m, ''));
  const words = listedLines(`${await read('words.txt')}\nzimbul, zimbulat\n`);
  const { template } = expandAnalysis(
    JSON.parse(await read('analysis.json')),
    words.map(({ text }) => text),
  ) as { template: { settings: object } };
  const edited = { name: 'edited', synonyms, words, settings: template.settings };
  const ads = [
    ['zorbing for all', 'شقة'],
    ['a zimbulat', ''],
    ['villa', ''],
  ];
  const before = performance.now();
  const diff = await diffRelevance(own.client, [now, edited], { ads, queries: ['zimbul', 'house'] });
  t.log(`${Math.round(performance.now() - before)} ms`);
  const changes = diff.changed.map(({ query, text, change, lines }) => [query, text, change, lines.join()]);
  const line = (list: readonly ListedLine[], text: string) => list.find((each) => each.text.startsWith(text))?.number;
  const pool = `+ synonyms.txt:${line(synonyms, 'مسبح, zorbing')} مسبح, zorbing`;
  const house = `- synonyms.txt:${line(now.synonyms, 'house =>')} house => فيلا, villa`;
  t.deepEqual(
    changes.filter(([query]) => query === 'مسبح'),
    [['مسبح', 'zorbing for all / شقة', 'gained', pool]],
  );
  t.deepEqual(
    changes.filter(([query]) => query === 'zimbul').map(([, ...rest]) => rest),
    [['a zimbulat / ', 'gained', `+ words.txt:${line(words, 'zimbul')} zimbul, zimbulat`]],
  );
  const lost = diff.changed.filter(({ query }) => query === 'house');
  t.deepEqual(lost.map(({ change, expected, tokens }) => [change, expected, tokens.join()]).sort(), [
    ['lost', null, 'villa'],
    ['lost', true, 'villa'],
    ['lost', true, 'فيلا'],
  ]);
  for (const { lines } of lost) t.deepEqual(lines, [house]);
  const cases = diff.sets.find(({ set }) => set === 'cases');
  t.is(cases?.after, (cases?.before ?? 0) - 2);
});

test('a version is the working tree, a commit or the serving index, and another name is refused', async (t) => {
  await own.open();
  const serving = await readVersion(own.client, 'serving');
  const now = await readVersion(own.client, WORKING_TREE);
  t.deepEqual(serving.synonyms, now.synonyms);
  const diff = await diffRelevance(own.client, [serving, now], { ads: [], queries: [] });
  t.deepEqual(diff.changed, []);
  await t.throwsAsync(readVersion(own.client, '--output=x'), { message: /Accepted: a commit, or `serving`/ });
});
