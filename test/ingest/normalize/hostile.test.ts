import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { unitNumberIn } from '#ingest/normalize/features.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { developerKey, projectNameKey } from '#ingest/off-plan/names.ts';
import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { readNumber } from '#ingest/official/cell-types.ts';
import { headerKey } from '#ingest/official/official-file.ts';
import { isSideOfCity, withoutPlans } from '#ingest/official/places.ts';
import { fieldsOf } from '#ingest/sources/kinds/csv-records.ts';
import { parseSearchText } from '#queries/text/search-text.ts';
import { isName } from '#src/accounts/names.ts';
import { test } from '#test/test.ts';

/**
 * Lengths of the two texts in characters. Eight times the length takes 64 times as long in quadratic code, 8 times in
 * linear code.
 */
const SHORT = 1_000;
const LONG = 8 * SHORT;
const MOST_GROWTH = 16;
/** CPU milliseconds below which any growth is accepted. */
const MEASURABLE = 1.25;
/** CPU milliseconds below which the clock is too coarse to compute a ratio. */
const RESOLUTION = 0.005;

const PARTS = [
  ...'( \na1٥-_/."@*🏠xﷺ|\u0640\u0651\u200d',
  "'",
  ...'&amp;|amp;|&#1|<a|<br'.split('|'),
  ...'(1;1,;1.;a@;a.;a\u0301;05;5 ;9665;tel:;wa.me;http://;o ;1x;price:;per ;sqm;بـ;ia;yy;POLYGON('.split(';'),
  ...'villa ;no pool ;gym near ;in al ;al malqa district ;شقة ;فيلا ;دور ;غرفة ;مصعد ;بدون مصعد ;رقم ;ريال'.split(';'),
  ...'مطلوب ;للمتر ;سعر المتر ;مخطط ;في محافظة ;ال;شمال ;حي ;بالملقا ;حي / ;خمسة و ;صالة '.split(';'),
];
const TAILS = ['', '\u0000', 'ب1'];

const at = new Date('2026-04-02T03:00:00Z');
const AD: RawListing = {
  source_listing_id: '1',
  title: 'A home',
  purpose: 'rent',
  property_type: 'apartment',
  price: 50_000,
  price_period: 'yearly',
  area: 100,
  city: 'Riyadh',
  neighborhood: 'Al Malqa',
};
const PROJECT: RawProject = { source_project_id: '1', name_en: 'Oasis', status: 'ready', city: 'Riyadh' };

const AD_FIELDS =
  `title description description_en purpose property_type price price_period area bedrooms bathrooms livings floor
  age_years furnished city neighborhood lat street_width compound_name advertiser_type advertiser_key updated_at`.split(
    /\s+/,
  );
const PROJECT_FIELDS =
  `name name_en developer status city neighborhood lat boundary price_min delivery license_number description
  updated_at`.split(/\s+/);

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    AD_FIELDS.map((field) => [`ad ${field}`, (text: string) => normalize({ name: 'a' }, { ...AD, [field]: text }, at)]),
  ),
  'ad without a neighborhood': (text) =>
    normalize({ name: 'a' }, { ...AD, neighborhood: null, description: text, description_en: text }, at),
  'ad lists': (text) =>
    normalize(
      { name: 'a' },
      { ...AD, amenities: [text], photos: [text], project: { name: text, developer: text } },
      at,
    ),
  ...Object.fromEntries(
    PROJECT_FIELDS.map((field) => [
      `project ${field}`,
      (text: string) => normalizeProject({ ...PROJECT, [field]: text }, at),
    ]),
  ),
  'project lists': (text) =>
    normalizeProject(
      { ...PROJECT, features: [text], banks: [text], unit_types: [{ property_type: text, area: text, price: text }] },
      at,
    ),
  developerKey,
  projectNameKey,
  unitNumberIn,
  isSideOfCity,
  withoutPlans,
  readNumber,
  headerKey,
  fieldsOf: (text) => fieldsOf(text, ','),
  parseSearchText,
  isName,
};

const MAX_TEXT = 40_000;
const TEXTS = new Set([
  'ad title',
  'ad description',
  'ad description_en',
  'ad without a neighborhood',
  'project description',
]);
/** CPU milliseconds, a fraction of the time after which a run rejects a row. */
const MOST_PER_VALUE = 50;
const MOST_PER_TEXT = 200;
const SAMPLES = 60;

/** Words of the patterns and lists by which rows are read. */
const WORDS = [
  ...new Set(
    ['normalize', 'off-plan'].flatMap((folder) => {
      const path = join(import.meta.dirname, '../../../ingest', folder);
      const code = readdirSync(path).flatMap((name) =>
        name.endsWith('.ts') ? readFileSync(join(path, name), 'utf8') : [],
      );
      return code.join('\n').match(/[\u0621-\u064a]{2,}|(?<=[\s|('"`,])[a-z]{2,12}(?=[|)'"`,])/g) ?? [];
    }),
  ),
];

/** Texts that froze a run. */
const KNOWN = [
  { words: ['#'], separator: ' و ', tail: ' مكاتب' },
  { words: ['بناء'], separator: '', tail: '!' },
  { words: ['انشاء'], separator: ' ', tail: '' },
];

/** Repeated words with separators, in which `#` is a counter: `1 و 2 و 3`. */
const hostile = fc.record({
  words: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom('#', '1', '٣', 'ال')), {
    minLength: 1,
    maxLength: 3,
  }),
  separator: fc.constantFrom('', ' ', ' و ', '، ', ',', '-', '/', ': ', ' (', '\n'),
  tail: fc.oneof(fc.constant(''), fc.constantFrom(' مكاتب', '!', ' 1', ' \u0000'), fc.constantFrom(...WORDS)),
});

function textOf(
  { words, separator, tail }: { words: string[]; separator: string; tail: string },
  length: number,
): string {
  let text = '';
  for (let at = 1; text.length + tail.length < length; at++)
    text += words.map((word) => word.replace('#', String(at))).join(separator) + separator;
  return text.slice(0, length - tail.length) + tail;
}

for (const [name, read] of Object.entries(READERS))
  test(`texts of the patterns' own words take bounded time at every length: ${name}`, (t) => {
    const lengths = [
      ...Array.from({ length: 10 }, (_, at) => 20 * (at + 1)),
      ...(TEXTS.has(name) ? [1_000, 5_000, MAX_TEXT] : []),
    ];
    fc.assert(
      fc.property(hostile, (parts) => {
        for (const length of lengths) {
          const most = length > 200 ? MOST_PER_TEXT : MOST_PER_VALUE;
          const text = textOf(parts, length);
          // Garbage collection or compilation affects some measurements, but not all.
          const isFast = [1, 2, 3].some((round) => cost(read, text.slice(0, -1) + round) <= most);
          t.true(isFast, `${length} characters: ${JSON.stringify(text.slice(0, 200))}`);
        }
      }),
      { numRuns: SAMPLES, examples: KNOWN.map((parts) => [parts]) },
    );
  });

/** Returns CPU milliseconds of this thread, which exclude other processes. The clock advances in steps of 4 ms. */
function cost(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

for (const [name, read] of Object.entries(READERS))
  test(`parsing time grows at most linearly with text length: ${name}`, (t) => {
    for (const part of PARTS)
      for (const tail of TAILS) {
        // Each text is unique, because some parsers cache results.
        let round = 0;
        const text = (length: number) => part.repeat(Math.ceil(length / part.length)) + round++ + tail;
        const growth = (): number => {
          if (cost(read, text(LONG)) < MEASURABLE) return 0;
          // As many characters of each length, so that both take several steps of the clock.
          const mean = (length: number, times: number): number =>
            Array.from({ length: times }).reduce((sum: number, _) => sum + cost(read, text(length)), 0) / times;
          return mean(LONG, 4) / Math.max(mean(SHORT, (4 * LONG) / SHORT), RESOLUTION);
        };
        // Garbage collection or compilation affects some measurements, but not all.
        const least = Array.from({ length: 40 }).reduce(
          (best: number, _) => (best > MOST_GROWTH ? growth() : best),
          100,
        );
        t.true(least <= MOST_GROWTH, `${JSON.stringify(part)} ${JSON.stringify(tail)}: ${least.toFixed(0)} times`);
      }
  });
