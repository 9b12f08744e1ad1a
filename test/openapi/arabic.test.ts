import test from 'ava';
import { endpoints } from '#endpoints/index.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { SENTENCES } from '#openapi/arabic/sentences.ts';
import { inArabic } from '#openapi/arabic/translate.ts';
import { buildOpenApi } from '#openapi/build.ts';

/** With an operation that is deprecated, so that all sentences are said. */
const english = buildOpenApi(endpoints.map(deprecateFirst), {
  serviceName: 'Test',
  baseUrl: 'https://api.example.com/v1',
});

function deprecateFirst(endpoint: Endpoint, index: number): Endpoint {
  return index === 0 ? { ...endpoint, deprecated: { entry: 'test', since: 0, sunset: null } } : endpoint;
}

/** What is written in Latin letters in Arabic, too. */
const KNOWN = new Set(
  'Free Starter Growth Pro Enterprise OpenAPI GeoJSON JSON HTTP ISO RFC SAR UTC null gzip created price_changed delisted'.split(
    ' ',
  ),
);

/** Prose by where it stands in a document, and the document without it. */
function proseOf(document: unknown): { prose: Map<string, string>; rest: unknown } {
  const prose = new Map<string, string>();
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, at) => visit(each, `${path}/${at}`));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).flatMap(([name, each]) => {
      if (name === 'example') return [[name, each]];
      if (!['summary', 'description', 'x-displayName'].includes(name) || typeof each !== 'string')
        return [[name, visit(each, `${path}/${name}`)]];
      prose.set(`${path}/${name}`, each);
      return [];
    });
    return Object.fromEntries(kept);
  };
  return { rest: visit(document, '#'), prose };
}

test('every sentence of the document has Arabic, and no other one does', (t) => {
  const missing = new Set<string>();
  inArabic(english, (sentence) => missing.add(sentence));
  t.deepEqual([...missing], []);
  const said = [...proseOf(english).prose.values()].join(' ');
  const areas = (english.tags as { name: string }[]).map(({ name }) => name);
  t.deepEqual(
    Object.keys(SENTENCES).filter((sentence) => !said.includes(sentence) && !areas.includes(sentence)),
    [],
  );
});

test('the Arabic document is the English one but for what it says to people, which is Arabic', (t) => {
  const [from, to] = [proseOf(english), proseOf(inArabic(english))];
  t.deepEqual(to.rest, from.rest);
  for (const [path, text] of to.prose) {
    const words = text.replaceAll(/`[^`]*`/g, '');
    t.regex(words, /[\u0621-\u064a]{2}/, path);
    // Names of plans, programs and formats are what they are.
    t.deepEqual(words.match(/[A-Za-z]\w{2,}/g)?.filter((word) => !KNOWN.has(word)) ?? [], [], `${path}: ${text}`);
  }
});

test('names and figures of a sentence are those of its Arabic', (t) => {
  const namesIn = (text: string): string[] => (text.match(/`[^`]*`/g) ?? []).sort();
  const figuresIn = (text: string): string[] =>
    [...new Set(text.replaceAll(/`[^`]*`/g, '').match(/\d[\d.,]*\d|\d/g))].sort();
  for (const [sentence, arabic] of Object.entries(SENTENCES)) {
    t.deepEqual([...new Set(namesIn(arabic))], [...new Set(namesIn(sentence))], sentence);
    t.deepEqual(figuresIn(arabic), figuresIn(sentence), sentence);
  }
});
