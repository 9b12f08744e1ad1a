import { memoize } from '#domain/memoize.ts';
import { afterMarker, endsAt, type Floors, floorAt, listsAt } from './floor-lists.ts';
import { numberedFloor, rankOfFloor } from './floor-numbers.ts';
import { MAX_TOKENS, type Token, tokensOf } from './floor-tokens.ts';
import { ENGLISH_MARKERS, MARKERS, MARKERS_BEHIND } from './floor-words.ts';
import { isBlank, type Scalar } from './numbers.ts';
import { matchesOf } from './patterns.ts';
import { foldValue } from './text.ts';

const START = '(?<![a-z0-9\\u0621-\\u064a]|\\d[.,])';
const END = '(?![a-z0-9\\u0621-\\u064a]|[.,]\\d)';

const UNIT_NOUNS = [
  '(?:ال)?(?:شقه|وحده|مكتب|فيلا|غرفه|برج|عماره|مبني|بلوك)',
  '(?:apartment|apt|flat|unit|office|villa|room|tower|building|bldg|block)',
];
/** `شقة رقم 12`, `unit A-304`, but not `building 3 floors`. */
const UNIT_NUMBERS = UNIT_NOUNS.map(
  (noun) =>
    new RegExp(
      `(?<![a-z0-9\\u0621-\\u064a])${noun}\\.? ?(?:رقم|no\\.?|number|#|:)? ?#?(?:[a-z]-?)?\\d+[a-z]?(?![a-z0-9\\u0621-\\u064a]| ?(?:floors|stor|ادوار|طوابق|شق))`,
      'gu',
    ),
);
/** The number of floors of the building, after the floor: `3 of 12`, `3/12`, `الثاني من 5`. */
const OF_BUILDING = [
  ' ?/ ?',
  ' \\(?(?:out )?of (?:an? |the )?(?:building (?:of|with) )?',
  ' (?:في |ب)?(?:عماره |مبني |برج )?من (?:اصل )?',
].map(
  (before) =>
    new RegExp(
      `${before}(\\d{1,3})(?![a-z0-9\\u0621-\\u064a])(?:[ -]?(?:storey|story|floors?|storeys|stories|ادوار|طوابق|دور|طابق)(?: (?:building|tower))?)?\\)?`,
      'u',
    ),
);
/** Numbers of floors: `عدد الأدوار 3`, `12 storeys`, `3 floor building`, `G+2`, `أدوار`. */
const NUMBERS_OF_FLOORS = [
  '(?:عدد (?:ال)?(?:ادوار|طوابق|دور)|(?:total|no\\.? of|number of) (?:floors|storeys|stories)|floors|storeys|stories)(?: in building)? ?[:=]? ?\\d{1,3}',
  '(?:\\d{1,3}|ثلاث(?:ه)?|اربع(?:ه)?|خمس(?:ه)?|ست(?:ه)?|two|three|four|five|six)[ -](?:floors|storeys|stories|storey|story|ادوار|طوابق)(?: (?:building|tower))?',
  '\\d{1,3}[ -]floor (?:building|tower|villa)',
  '(?:g|ground|(?:ال)?ارضي) ?\\+ ?\\d{1,2}',
  '(?:ال)?(?:ادوار|طوابق|دورين|طابقين|دوران)',
].map((number) => new RegExp(`${START}${number}${END}`, 'gu'));
/** Another floor, which is not stated: `ليست بالدور الأرضي`, `not on the ground floor`. */
const DENIALS = /(?<![a-z0-9\u0621-\u064a])و?(?:ليست?|مو|مهو|مب|غير|not|isn['’]?t) (?:(?:في|علي|on|in|at|the) ){0,4}/gu;
const MAYBE_DENIED = /ليس|مو |مب |مهو|غير|not|isn/;

function withoutDenied(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index, 0: denial } of matchesOf(text, DENIALS)) {
    if (index < from) continue;
    const tokens = tokensOf(text, index + denial.length, MAX_TOKENS);
    const isMarked = MARKERS.has(tokens[0]?.text ?? '') && tokens[1]?.gap === ' ';
    const found = floorAt(tokens, isMarked ? 1 : 0);
    const behind = found === null ? 0 : tokens[found.next]?.text === '-' ? found.next + 1 : found.next;
    const end =
      found === null
        ? undefined
        : isMarked
          ? found.next - 1
          : ENGLISH_MARKERS.has(tokens[behind]?.text ?? '')
            ? behind
            : undefined;
    if (end === undefined) continue;
    kept += `${text.slice(from, index)} | `;
    from = (tokens[end] as Token).end;
  }
  return kept + text.slice(from);
}

/** Fast prechecks. */
const MAYBE_COUNT = /عدد (?:ال)?(?:دور|طابق)|ادوار|طوابق|دور[يا]ن|طابقين|floor|stor|\+/;
const MAYBE_ENGLISH = /fl|l[ev]|stor/;
const ARABIC_MARKER = /دور|طابق|طبقه/g;

/** Returns the floors next to a word for floor, without negated ones, floor counts and numbers of flats. */
export function markedFloors(folded: string): string[] {
  const text = withoutCounts(folded);
  const found = new Set<string>();
  const add = (list: Floors | undefined): void => {
    if (list !== undefined && !list.isEither) for (const floor of list.floors) if (floor !== null) found.add(floor);
  };
  for (const match of matchesOf(text, ARABIC_MARKER)) addArabic(text, match, add);
  if (MAYBE_ENGLISH.test(text)) addEnglish(tokensOf(text), add);
  return [...found].sort((a, b) => rankOfFloor(a) - rankOfFloor(b));
}

/** `الدور الثالث`, `الدورالثالث`, `آخر دور`. */
function addArabic(text: string, { index, 0: marker }: RegExpExecArray, add: (list: Floors | undefined) => void): void {
  const [before] = /(?:(?:ال)?اخر (?:في |[وفب])?)?(?:ال)?$|[وفب]?(?:ال)?$/.exec(
    text.slice(Math.max(0, index - 12), index),
  ) as RegExpExecArray;
  if (/[\p{L}\p{N}]/u.test(text[index - before.length - 1] ?? '')) return;
  const tokens = tokensOf(text, index + marker.length, MAX_TOKENS);
  if (before.includes('اخر') && endsAt(tokens, 0)) add({ floors: ['upper'], isEither: false });
  const list = afterMarker(tokens, 0);
  // In `الدور -2`, the dash may be a minus or a separator.
  if (tokens[list]?.text !== '-') add(listsAt(tokens, list)[0]);
}

/** `Floor 3`, `third floor`. */
function addEnglish(tokens: readonly Token[], add: (list: Floors | undefined) => void): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const before = tokens[at - 1];
    if (token.gap === '' && (before?.isWord || before?.isNumber)) continue;
    if (ENGLISH_MARKERS.has(token.text)) {
      const list = afterMarker(tokens, at + 1);
      if (tokens[list]?.text !== '-') add(listsAt(tokens, list)[0]);
    }
    const marked = listsAt(tokens, at).find(({ next }) => markerBehind(tokens, next) !== null);
    if (marked === undefined) continue;
    if (token.text !== '-') add(marked);
    at = marked.next - 1;
  }
}

function markerBehind(tokens: readonly Token[], at: number): number | null {
  const dash = tokens[at]?.text === '-' && tokens[at]?.gap === '' ? 1 : 0;
  const marker = tokens[at + dash];
  if (marker === undefined || marker.gap.length + dash > 1 || marker.gap === '\n') return null;
  return MARKERS_BEHIND.has(marker.text) && endsAt(tokens, at + dash + 1) ? at + dash : null;
}

function withoutCounts(folded: string): string {
  const named = withoutAll(folded, UNIT_NUMBERS, ' | ');
  const rest = MAYBE_DENIED.test(named) ? withoutDenied(named) : named;
  return MAYBE_COUNT.test(rest) ? withoutAll(rest, NUMBERS_OF_FLOORS, ' | ') : rest;
}

const withoutAll = (text: string, patterns: readonly RegExp[], mark: string): string =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, mark), text);

/** Returns the first match of any pattern. */
function firstOf(text: string, patterns: readonly RegExp[]): RegExpExecArray | null {
  let first: RegExpExecArray | null = null;
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null && (first === null || match.index < first.index)) first = match;
  }
  return first;
}

const FURTHER = / ?\([^()]*\)| (?:(?:مع|بدون|with|without) |\+ ?حوش|بحوش|بمدخل).*$/gu;

/** Returns the floors of a text that states nothing else; empty for other texts. */
function wholeFloors(text: string): (string | null)[] {
  const all = tokensOf(text, 0, MAX_TOKENS + 2);
  if (all[0]?.gap !== '') return [];
  const tokens = all[0]?.text === 'شقه' && all[1]?.gap === ' ' ? all.slice(1) : all;
  for (const { floors, isEither, next } of listsAt(tokens, 0)) {
    const behind = tokens[next];
    const end = behind?.text === 'دور' && behind.gap === ' ' ? next + 1 : next;
    if (end === tokens.length && !isEither) return [...floors];
  }
  const [first, second, third] = tokens.map((token) => token.text);
  const number =
    first === 'f' || first === 'l'
      ? tokens.length === 2
        ? second
        : null
      : (third ?? second) === 'f' && (tokens.length === 2 || second === '/') && tokens.length <= 3
        ? first
        : null;
  return number != null && /^\d{1,2}$/.test(number) ? [numberedFloor(Number(number))] : [];
}

const floorOfText = memoize((text) => {
  const folded = foldValue(text)
    .replace(/(?<=\p{L})[-–](?=\p{L})/gu, ' ')
    .replace(/(?<=دور|طابق|floor) ?\(([^()]+)\)/, ' $1');
  const building = firstOf(folded, OF_BUILDING);
  const alone =
    building === null ? folded : folded.slice(0, building.index) + folded.slice(building.index + building[0].length);
  const rest = withoutAll(alone, UNIT_NUMBERS, ' ').trim();
  const marked = markedFloors(rest);
  const plain = rest.replace(FURTHER, '').replace(/^[-|,،: ]+(?!\d)|[-|,،: ]+$|(?<=\d|\p{L}{2})\.$/gu, '');
  const bare = NUMBERS_OF_FLOORS.some((number) => plain.search(number) >= 0) ? [] : wholeFloors(plain);
  const floors = marked.length > 0 ? marked : bare;
  if (floors.length === 0 || floors.includes(null)) return null;
  // A floor above the building's last one is no floor.
  if (building !== null && floors.some((floor) => Number(floor) > Number(building[1]))) return null;
  return [...new Set(floors as string[])].sort((a, b) => rankOfFloor(a) - rankOfFloor(b)).join(',');
});

/**
 * Normalizes a floor to `basement`, `ground`, `upper`, `roof`, a number, or a comma-separated list of these, lowest
 * first (`ground,upper`). Null if no floor is stated, or if the words also state something else.
 */
export function readFloor(value: Scalar): string | null {
  if (isBlank(value)) return null;
  return typeof value === 'string' ? floorOfText(value) : numberedFloor(value as number);
}
