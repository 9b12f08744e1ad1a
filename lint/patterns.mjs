// Finds patterns that backtrack, in `npm run lint`: node lint/patterns.mjs [--update]
//
// Checks every pattern of the code that reads feeds, requests and searches: literals, and those that modules build from
// parts when they are imported. Verdicts are cached in `patterns.json` by a hash of the pattern. With --update, new
// patterns are checked and added.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';

const PROJECT = join(import.meta.dirname, '..');
const CACHE = join(import.meta.dirname, 'patterns.json');
/** Per pattern, in milliseconds. */
const CHECK_MS = 5_000;
const FILES = globSync(['ingest/**/*.ts', 'queries/**/*.ts', 'src/**/*.ts'], { cwd: PROJECT })
  .filter((path) => !path.endsWith('.d.ts'))
  .sort();

/** By source and flags: the file that contains or builds the pattern first. */
const found = new Map();

function add(path, source, flags) {
  const used = flags.replace(/[dgy]/g, '');
  const key = `/${source}/${used}`;
  if (!found.has(key)) found.set(key, { path, source, flags: used });
}

function addLiterals(path) {
  const { program } = parseSync(path, readFileSync(join(PROJECT, path), 'utf8'));
  new Visitor({
    Literal: ({ regex }) => {
      if (regex) add(path, regex.pattern, regex.flags);
    },
  }).visit(program);
}

/** Adds the patterns that are constructed from now on, by the file that constructs them. */
function addConstructed() {
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, args, created) {
      const pattern = Reflect.construct(target, args, created);
      const [, path] = /\/((?:ingest|queries|src)\/[^\s:]*\.ts)/.exec(new Error().stack) ?? [];
      if (path !== undefined) add(path, pattern.source, pattern.flags);
      return pattern;
    },
  });
}

/** `safe`, `unknown`, `exponential`, or the degree of the polynomial. */
async function verdictOf({ source, flags }) {
  const { status, complexity } = await check(source, flags, { timeout: CHECK_MS });
  return status === 'vulnerable' ? (complexity.degree ?? complexity.type) : status;
}

for (const path of FILES) addLiterals(path);
addConstructed();
for (const path of FILES)
  if (readFileSync(join(PROJECT, path), 'utf8').includes('RegExp(')) await import(pathToFileURL(join(PROJECT, path)).href);

const cache = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {};
const hashOf = (key) => createHash('sha256').update(key).digest('base64url').slice(0, 12);
const missing = [...found].filter(([key]) => !(hashOf(key) in cache));
for (const [at, [key, pattern]] of missing.entries()) {
  cache[hashOf(key)] = await verdictOf(pattern);
  if (missing.length > 20 && at % 20 === 0) console.log(`${at} of ${missing.length} new patterns checked`);
}
const verdicts = [...found].map(([key, pattern]) => ({ ...pattern, key, verdict: cache[hashOf(key)] }));
if (missing.length > 0) {
  const kept = verdicts.map(({ key, verdict }) => [hashOf(key), verdict]).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(CACHE, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
for (const v of verdicts) if (v.verdict !== 'safe') console.log(v.verdict, v.path, v.key.slice(0, 200));
