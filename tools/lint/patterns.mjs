// Finds patterns that backtrack or are too long to read, as a part of `npm run lint`.
//
// Checks every pattern of all floors and the site: literals, and those that modules build from parts when they are imported.
// A module that builds its patterns later must be in a list. Verdicts are cached in `patterns.json` by a hash of the pattern; new
// ones are checked and added, which takes seconds for each.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';

const PROJECT = join(import.meta.dirname, '../..');
const CACHE = join(import.meta.dirname, 'patterns.json');
/** Per pattern, in milliseconds. A pattern that takes longer is `unknown`, and accepted. */
const CHECK_MS = 10_000;
const FLOORS = ['app', 'site', 'src', 'ingest', 'stores', 'queries', 'domain'];
const FILES = globSync(`{${FLOORS.join(',')}}/**/*.ts`, {
  cwd: PROJECT,
  exclude: (path) => path.includes('dist'),
}).sort();

/** Files in which a pattern may take polynomial time, by what bounds its input. */
const BOUNDED = {
  'ingest/normalize/': 'values of 200 and texts of 40,000 characters (text.ts), measured by hostile.test.ts',
  'ingest/off-plan/normalize-project.ts': 'values of 200 characters, measured by hostile.test.ts',
  'ingest/official/places.ts': 'cells of a table, measured by hostile.test.ts',
  'ingest/sources/kinds/xml-records.ts': 'chunks and tags of 64 KB, measured by bounds.test.ts',
  'site/server/console/parts.ts': 'forms of the console, which the service has written',
  'src/endpoints/organization/account.ts': 'the contact of the configuration',
  'src/observability/query-log.ts': 'search texts of at most 300 characters',
  'stores/opensearch/relevance/texts.ts': 'explanations of the engine for judged pairs',
  'src/accounts/member-store.ts': 'addresses of at most 254 characters',
  'app/cli/commands/mcp.ts': 'an option of the operator',
  'src/documents/markdown.ts': 'documents of the project',
  'domain/text/index-text.ts': 'texts of ads of at most 10,000 characters, and queries',
  'ingest/official/stated-quarters.ts': 'the first 1,000 characters of names and titles',
  'site/server/page.ts': 'pages of the site, and the start of a description',
  'stores/opensearch/nodes.ts': 'addresses of the configuration',
  'stores/outbound/outbound-client.ts': 'the name of the service',
  'domain/suggestions/values.ts': 'values of parameters of bounded length',
  'src/http/client-address.ts': 'an address of a connection',
  'src/http/errors/refused-value.ts': 'values that are shortened for messages',
};

/** Maximum length of a pattern with all its parts. */
const MAX_LENGTH = 300;
/** Files with longer patterns. Those of prices, areas, kinds and sentences read texts in one pass. */
const LONG = {
  'domain/sentence/tokens.ts': 'one pass over a sentence, with a group for each kind of token',
  'ingest/normalize/area.ts': 'units and labels of areas',
  'ingest/normalize/currencies.ts': 'one pass over an amount, with a group for each row of the table of currencies',
  'ingest/normalize/patterns.ts': 'builds the patterns of the roles of amounts and of kinds',
  'ingest/normalize/price.ts': 'an amount per square meter, of parts with names',
  'ingest/normalize/text-area.ts': 'an area in a text, of parts with names',
  'ingest/normalize/text-facts.ts':
    'living rooms in one pass, of parts with names: a pass for each part finds others where they overlap',
  'ingest/normalize/text-kind.ts': 'words of offers and kinds',
  'ingest/normalize/text-price.ts': 'a price in a text, of parts with names',
  'ingest/normalize/text.ts':
    'telephone numbers, of parts with names: each has the separators, of 85 characters, several times',
};

/** Files that build patterns when they run, by what they consist of. */
const BUILT_LATER = {
  'site/server/guide-pages.ts': 'marks of two client languages, in guides of the project',
  'site/server/explorer-session.ts': 'paths of the API, whose parameters are single classes',
  'src/sign-in/cookies.ts': 'names of cookies of the service',
  'src/http/router.ts': 'paths of the API, whose parameters are single classes',
  'stores/opensearch/relevance/ads.ts': 'words of judged queries',
};

/** By source and flags: the file that contains or builds the pattern first. */
const found = new Map();

function add(path, source, flags) {
  const key = `/${source}/${flags}`;
  if (!found.has(key)) found.set(key, { path, source, flags });
}

function addLiterals(path) {
  const { program } = parseSync(path, readFileSync(join(PROJECT, path), 'utf8'));
  new Visitor({
    Literal: ({ regex }) => {
      if (regex) add(path, regex.pattern, regex.flags);
    },
  }).visit(program);
}

const STACKED = new RegExp(`/((?:${FLOORS.join('|')})/[^\\s:]*\\.ts)`, 'g');
/** Files whose patterns were constructed. */
const built = new Set();

/** Adds the patterns that are constructed from now on, by the file that constructs them. */
function addConstructed() {
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, args, created) {
      const pattern = Reflect.construct(target, args, created);
      const paths = [...new Error().stack.matchAll(STACKED)].map(([, path]) => path);
      if (paths.length > 0) add(paths[0], pattern.source, pattern.flags);
      for (const path of paths) built.add(path);
      return pattern;
    },
  });
}

/** `safe`, `unknown`, `exponential`, or the degree of the polynomial. */
async function verdictOf({ source, flags }) {
  // The checker takes long for large classes. A sticky pattern starts at one position.
  const small = source
    .replaceAll('\\p{L}', 'a-z\\u0621-\\u064a')
    .replaceAll(/(?<!\[[^\]]*)a-z\\u0621-\\u064a/g, '[a-z\\u0621-\\u064a]')
    .replaceAll('\\p{N}', '\\d')
    .replaceAll('\\p{M}', '\\u064b');
  const checked = flags.includes('y') ? `^(?:${small})` : small;
  const { status, complexity } = await check(checked, flags.replace(/[dgy]/g, ''), { timeout: CHECK_MS });
  return status === 'vulnerable' ? (complexity.degree ?? complexity.type) : status;
}

for (const path of FILES) addLiterals(path);
addConstructed();
const building = FILES.filter((path) => readFileSync(join(PROJECT, path), 'utf8').includes('RegExp('));
for (const path of building) await import(pathToFileURL(join(PROJECT, path)).href);
for (const path of building) {
  if (built.has(path) || path in BUILT_LATER) continue;
  console.error(`${path}: a pattern is not built when the module is imported, so that it is not checked.`);
  process.exitCode = 1;
}

const cache = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {};
const hashOf = (key) => createHash('sha256').update(key).digest('base64url').slice(0, 12);
const missing = [...found].filter(([key]) => !(hashOf(key) in cache));
const save = () => {
  const kept = [...found.keys()]
    .map(hashOf)
    .filter((hash) => hash in cache)
    .sort();
  writeFileSync(CACHE, `${JSON.stringify(Object.fromEntries(kept.map((hash) => [hash, cache[hash]])), null, 2)}\n`);
};
for (const [at, [key, pattern]] of missing.entries()) {
  cache[hashOf(key)] = await verdictOf(pattern);
  if (at % 20 !== 19) continue;
  save();
  console.log(`${at + 1} of ${missing.length} new patterns are checked.`);
}
if (missing.length > 0) save();

const longFiles = new Set([...found.values()].flatMap(({ path, source }) => (source.length > MAX_LENGTH ? path : [])));
for (const path of new Set([...longFiles, ...Object.keys(LONG)])) {
  if (longFiles.has(path) === path in LONG) continue;
  const remedy = path in LONG ? 'Remove it from LONG' : 'Split it into patterns with names';
  console.error(`${path}: ${path in LONG ? 'no' : 'a'} pattern has over ${MAX_LENGTH} characters. ${remedy}.`);
  process.exitCode = 1;
}
for (const [key, { path }] of found) {
  const verdict = cache[hashOf(key)];
  const isBounded = Object.keys(BOUNDED).some((bounded) => path.startsWith(bounded));
  if (verdict === 'safe' || verdict === 'unknown' || (verdict !== 'exponential' && isBounded)) continue;
  const time = verdict === 'exponential' ? 'exponential' : `polynomial (degree ${verdict})`;
  console.error(
    `${path}: the pattern takes ${time} time. Rewrite it, or state in tools/lint/patterns.mjs what bounds its input.\n  ${key}`,
  );
  process.exitCode = 1;
}
// The checker's process would keep this one open.
process.exit();
