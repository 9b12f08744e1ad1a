import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { FIELD_TEXTS, inArabic, SENTENCES } from '#src/openapi/arabic/translate.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import { test } from '#test/test.ts';

/** Includes a deprecated operation, so that the deprecation texts are covered. */
const english = buildOpenApi(endpoints.map(deprecateFirst), {
  serviceName: 'Test',
  baseUrl: 'https://api.example.com/v1',
});

function deprecateFirst(endpoint: Endpoint, index: number): Endpoint {
  return index === 0 ? { ...endpoint, deprecated: { entry: 'test', since: 0, sunset: null } } : endpoint;
}

const TEXTS = { ...SENTENCES, ...FIELD_TEXTS };

/** Returns the prose of a document by path, and the document without its prose. */
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

test('the Arabic translations cover exactly the sentences of the OpenAPI document', (t) => {
  const missing = new Set<string>();
  inArabic(english, (sentence) => missing.add(sentence));
  t.deepEqual([...missing], []);
  const said = [...proseOf(english).prose.values()].join(' ');
  const areas = (english.tags as { name: string }[]).map(({ name }) => name);
  t.deepEqual(
    Object.keys(TEXTS).filter((sentence) => !said.includes(sentence) && !areas.includes(sentence)),
    [],
  );
});

test('the Arabic document equals the English one except for its prose, which is Arabic', (t) => {
  const [from, to] = [proseOf(english), proseOf(inArabic(english))];
  t.deepEqual(to.rest, from.rest);
  for (const [path, text] of to.prose) t.regex(text, /[\u0621-\u064a]{2}/, path);
});

test('names and numbers in a sentence are unchanged in its Arabic translation', (t) => {
  const namesIn = (text: string): string[] => (text.match(/`[^`]*`/g) ?? []).sort();
  // Arabic writes one and two of a thing as words that agree in number.
  const inDigits = (text: string): string =>
    text.replaceAll('وحدة واحدة', '1').replaceAll('وحدتان', '2').replaceAll('تصديران', '2');
  const figuresIn = (text: string): string[] =>
    [
      ...new Set(
        inDigits(text)
          .replaceAll(/`[^`]*`/g, '')
          .match(/\d[\d.,]*\d|\d/g),
      ),
    ].sort();
  for (const [sentence, arabic] of Object.entries(TEXTS)) {
    t.deepEqual([...new Set(namesIn(arabic))], [...new Set(namesIn(sentence))], sentence);
    t.deepEqual(figuresIn(arabic), figuresIn(sentence), sentence);
  }
});
