import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '#test/test.ts';

/** Words that this project does not use, as regular expressions of whole words. */
const WORDS = [
  // The term of the field exists: request, query, response, return.
  'ask(s|ed)?',
  'asking(?! (prices?|rents?))',
  'questions?',
  'answer(s|ed|ing)?',
  // Timed out, cancelled; refund, pending refund; unavailable, unresponsive.
  'g[ia]ven? up',
  'gives up',
  'giving up',
  'lets? go',
  'g[ia]ven? back',
  'gives back',
  'giving back',
  'owe[sd]?',
  'owing',
  '(?<!right )away',
  'st(ands?|ood|anding) still',
  'h[au]ngs? on',
  // Again, refresh, rebuild; retried; notified, receives, distinguished; accepted.
  'anew',
  'once more',
  'made again',
  'tried again',
  'to(ld|lds?) (of|apart|from)',
  'tells?( them| it| them)? apart',
  'he(ar|ars|ard) (of|from)',
  '(is|be|are|was) let in',
  // Expensive, low-cost; client, caller; interval; in parallel; check, ensure.
  'dear(er|est|ly)?',
  'whoever',
  'nobody',
  'somebody',
  'stretch(es|ed)?',
  'side by side',
  'look(s|ed|ing)? at',
  'sees? to',
  // Retained, synchronized; offset, position; the sentence can be rewritten.
  'kept (for|in step)',
  'in step',
  'in(to)? the place of',
  'the way of',
  '(?<!as )so (many|much|few|little)',
  'such(?! as)',
  'what (is|was|are|were|it|they|the|a|an|has|had|can|cannot|must|stands)',
  'whatever',
  // Machines do not live.
  'believe[sd]?',
  'forg[eo]ts?',
  'forgotten',
  'patience',
  'dies',
  'died',
  // Translated idioms.
  'beside',
  'aside',
  'at hand',
  'in vain',
  'of late',
  'alike',
  'of (its|their|his|our) own',
  'as (it|they) (is|are|was|were)',
  'stands? for',
  'held against',
  'holds? good',
  'rule[sd]? (this|it) out',
  'for ever',
  'the other way (a)?round',
  // The repository does not have it.
  'the specification',
];
const PATTERN = new RegExp(`(?<![\\w-])(${WORDS.join('|')})(?![\\w-])`, 'gi');
/** Matches sentences that do not name their subject. */
const OPENING = /(?:^\s*|\n\n|[.!?]\s+)(Who|What|Whoever)\s+(?!(do|does|did|can|should|happens)\b)/g;

/** Texts of the domain that need one of the words, and files that are data. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  'embedded/identity.ts': /^nobody$/,
  'ingest/normalize/stated-amounts.ts': /^(asks|asking)$/,
  'ingest/normalize/wanted.ts': /^question$/,
  'src/endpoints/official/property-index.ts': /^asking$/,
};
const SKIPPED = /^test\/words\.test\.ts$|^test\/clients\/guides\.ts$/;

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
/** Comments of lines, and of objects. */
const SQL_COMMENT = /(?:^ *--[^\n]*\n)+|^comment on [^;]*;/gm;
const CODE = /`[^`\n]*`|\$\{[^}]*\}|https?:\S+/g;

/**
 * Extracts the text in a file: comments, test titles, strings of three words or more in `src` and `site`, and prose.
 */
function* textsOf(path: string, text: string): Generator<{ at: number; text: string }> {
  if (path.endsWith('.md')) {
    yield { at: 0, text: blank(text, /```[\s\S]*?```/g) };
    return;
  }
  if (path.endsWith('.sql')) {
    for (const { 0: comment, index } of text.matchAll(SQL_COMMENT)) yield { at: index, text: comment };
    return;
  }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isComment = token.startsWith('/');
    const isTitle = path.startsWith('test/') && /\btest(\.\w+)?\(\s*$/.test(text.slice(Math.max(0, index - 30), index));
    const isProse = /^(src|site)\//.test(path) && !token.includes('\n') && token.trim().split(/\s+/).length > 2;
    if (isComment ? !token.includes('biome-ignore') : isTitle || isProse) yield { at: index, text: token };
  }
}

/** Replaces matches with non-word characters, so that positions remain the same. */
const blank = (text: string, pattern: RegExp): string => text.replace(pattern, (match) => match.replace(/[^\n]/g, '#'));

function findingsIn(path: string, file: string): string[] {
  return [...textsOf(path, file)].flatMap(({ at, text }) => {
    // Comment markers and line breaks would hide openings and phrases.
    const breaks = path.endsWith('.md') ? /(?<!\n)\n(?!\n)/g : /\s*\n\s*(\*|\/\/|--)?\s*/g;
    const plain = blank(text, CODE).replace(breaks, (match) => ' '.repeat(match.length));
    const opened = plain.replace(/^(\/\*\*?|\/\/|['"`])\s*/, (match) => ' '.repeat(match.length));
    return [...plain.matchAll(PATTERN), ...opened.matchAll(OPENING)].flatMap(({ 0: match, index }) => {
      const word = match.trim();
      if (EXCEPTIONS[path]?.test(word)) return [];
      const line = file.slice(0, at + index + match.indexOf(word)).split('\n').length;
      return [`${path}:${line}: ${word}`];
    });
  });
}

test('non-standard wording is found in comments, titles, messages and prose, with its line', (t) => {
  t.deepEqual(
    findingsIn(
      'src/a.ts',
      "/** Fine. */\n/**\n * It is\n * given back.\n */\nconst a = 'it was not answered in time';",
    ),
    ['src/a.ts:4: given back', 'src/a.ts:6: answered'],
  );
  t.deepEqual(findingsIn('test/a.test.ts', "test('whatever comes', (t) => t.is(a, 'so many of them'));"), [
    'test/a.test.ts:1: whatever',
  ]);
  t.deepEqual(findingsIn('docs/a.md', 'Asking prices such as `ask`.\n\n```sh\ncurl answer\n```\n\nWho calls?'), [
    'docs/a.md:7: Who',
  ]);
  t.deepEqual(
    findingsIn(
      'src/b.sql',
      "create table b (\n  -- It was\n  -- given back.\n  a int\n);\ncomment on table b is 'such a table';",
    ),
    ['src/b.sql:3: given back', 'src/b.sql:6: such'],
  );
  t.deepEqual(findingsIn('src/b.ts', '// What costs one unit.\n'), ['src/b.ts:1: What']);
});

test('comments, test titles, messages and prose use the terms of the field', (t) => {
  const project = join(import.meta.dirname, '..');
  const patterns = ['*.ts', '*.tsx', '*.mjs', '*.sql', '*.md', 'site/text/*.json', 'src/documents/text/*.json'];
  const files = execFileSync('git', ['ls-files', ...patterns], { cwd: project, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !SKIPPED.test(path));
  t.true(files.length > 500, `${files.length} files`);
  t.deepEqual(
    files.flatMap((path) => findingsIn(path, readFileSync(join(project, path), 'utf8'))),
    [],
  );
});
