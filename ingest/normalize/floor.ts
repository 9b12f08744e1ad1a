import { memoize } from '#domain/memoize.ts';
import {
  BASEMENTS,
  CLASSES,
  COUNTED,
  EITHER,
  ENGLISH_MARKERS,
  MARKERS,
  MARKERS_BEHIND,
  MAX_FLOOR,
  MAX_TOKENS,
  ORDER,
  ORDINAL_ENDS,
  ORDINALS,
  type Ordinal,
  TEEN,
  type Token,
  tokensOf,
  UPPER,
} from './floor-words.ts';
import { isBlank, type Scalar } from './numbers.ts';
import { matchesOf } from './patterns.ts';
import { foldValue } from './text.ts';

/** A floor, which is null if the number is none, and the position of the next token. */
interface Found {
  floor: string | null;
  next: number;
}

/** Returns whether neither a letter nor a digit follows, as in `3.5`. */
function endsAt(tokens: readonly Token[], next: number): boolean {
  const [token, after] = [tokens[next], tokens[next + 1]];
  if (token === undefined || token.gap !== '') return true;
  if (token.isNumber || token.isWord) return false;
  return !((token.text === '.' || token.text === ',') && after?.isNumber && after.gap === '');
}

/** @param first replaces the text of the first token, for example without an attached "and" */
function floorAt(tokens: readonly Token[], at: number, first = tokens[at]?.text ?? ''): Found | null {
  for (const found of candidates(tokens, at, first)) if (endsAt(tokens, found.next)) return found;
  return null;
}

function* candidates(tokens: readonly Token[], at: number, first: string): Generator<Found> {
  const second = tokens[at + 1];
  const isNear = second !== undefined && (second.gap === '' || second.gap === ' ');
  const ordinal = ORDINALS.get(first);
  if (ordinal !== undefined) yield* ordinalsAt(tokens, at, ordinal);
  if (tokens[at]?.isNumber) {
    const end = second?.text === '-' && second.gap === '' ? at + 2 : at + 1;
    if (
      first.length <= 2 &&
      isNear &&
      ORDINAL_ENDS.has(tokens[end]?.text ?? '') &&
      (end === at + 1 || tokens[end]?.gap === '')
    )
      yield { floor: numberedFloor(Number(first)), next: end + 1 };
    if (!isCount(tokens, at)) yield { floor: numberedFloor(Number(first)), next: at + 1 };
  }
  if (BASEMENTS.has(first) && isNear && second.isNumber && second.text.length === 1)
    yield { floor: 'basement', next: at + 2 };
  for (const [floor, [, ...others]] of CLASSES.get(first) ?? [])
    if (
      others.every(
        ({ text, gap }, index) => tokens[at + 1 + index]?.text === text && tokens[at + 1 + index]?.gap === gap,
      )
    )
      yield { floor, next: at + 1 + others.length };
  if (first === '-' && second?.isNumber && second.gap === '' && !isCount(tokens, at + 1))
    yield { floor: numberedFloor(-Number(second.text)), next: at + 2 };
}

function* ordinalsAt(tokens: readonly Token[], at: number, { value, part }: Ordinal): Generator<Found> {
  const next = tokens[at + 1];
  const found = function* (number: number, end: number): Generator<Found> {
    const upper = tokens[end];
    if (upper?.gap === ' ' && UPPER.has(upper.text)) yield { floor: String(number), next: end + 1 };
    yield { floor: String(number), next: end };
  };
  if ((part === 'unit' || part === 'only') && next !== undefined && next.gap.length <= 1) {
    const isAlone = next.text === 'و';
    const ten = ORDINALS.get(
      isAlone ? (tokens[at + 2]?.text ?? '') : next.text.startsWith('و') ? next.text.slice(1) : '',
    );
    if (ten?.part === 'ten') yield* found(value + ten.value, at + (isAlone ? 3 : 2));
    if (next.gap === ' ' && TEEN.includes(next.text)) yield* found(value + 10, at + 2);
  }
  if (part === 'tens') {
    const end = next?.text === '-' && next.gap === '' ? at + 2 : at + 1;
    const unit = tokens[end];
    const ordinal = unit !== undefined && unit.gap.length + (end - at - 1) <= 1 ? ORDINALS.get(unit.text) : undefined;
    if (ordinal?.part === 'whole' && ordinal.value < 10) yield* found(value + ordinal.value, end + 1);
  } else if (part !== 'only') yield* found(value, at + 1);
}

function isCount(tokens: readonly Token[], at: number): boolean {
  const { text = '' } = tokens[at] ?? {};
  const next = tokens[at + 1];
  if ((text.split('.')[0]?.length as number) > 3) return true;
  if (next === undefined || !next.isWord || next.gap.length > 1 || next.gap === '\n') return false;
  return next.text === 'م' || next.text === 'm' || COUNTED.some((start) => next.text.startsWith(start));
}

interface Floors {
  floors: readonly (string | null)[];
  /** One of several floors, which states none. */
  isEither: boolean;
}
type FloorList = Floors & { next: number };

/** Returns the lists of floors that start at a token, the longest first. */
function listsAt(tokens: readonly Token[], at: number): FloorList[] {
  const first = floorAt(tokens, at);
  if (first === null) return [];
  const lists: FloorList[] = [{ floors: [first.floor], isEither: false, next: first.next }];
  for (let last = lists[0] as FloorList; last.next - at < MAX_TOKENS; ) {
    const further = joinedAt(tokens, last.next);
    if (further === null) break;
    const { floor, next, isEither } = further;
    last = { floors: [...last.floors, floor], isEither: last.isEither || isEither, next };
    lists.unshift(last);
  }
  return lists;
}

/** Returns the floor after "and" or "or". */
function joinedAt(tokens: readonly Token[], at: number): (Found & { isEither: boolean }) | null {
  const join = tokens[at];
  const next = tokens[at + 1];
  if (join === undefined || join.gap.length > 1 || join.gap === '\n') return null;
  const isSpaced = join.gap === ' ' && next?.gap === ' ';
  const isNear = next !== undefined && (next.gap === '' || next.gap === ' ');
  const isSign = isNear && (/[,،&]/.test(join.text) || (join.text === '+' && !next.isNumber));
  if (isSign || (join.text === 'و' && isNear) || (join.text === 'and' && isSpaced)) {
    const found = floorAt(tokens, at + 1);
    return found && { ...found, isEither: false };
  }
  if (join.isWord && join.text.startsWith('و')) {
    const found = floorAt(tokens, at, join.text.slice(1));
    if (found !== null) return { ...found, isEither: false };
  }
  const or = join.gap === ' ' && ENGLISH_MARKERS.has(join.text) ? at + 1 : at;
  if (tokens[or]?.gap !== ' ' || !EITHER.has(tokens[or].text)) return null;
  const marker = tokens[or + 1];
  const start = marker !== undefined && MARKERS.has(marker.text) && tokens[or + 2]?.gap === ' ' ? or + 2 : or + 1;
  const found = tokens[start]?.gap === ' ' ? floorAt(tokens, start) : null;
  return found && { ...found, isEither: true };
}

/** Returns the position of the floors after a word for floor: `الدور رقم: 3`. */
function afterMarker(tokens: readonly Token[], behind: number): number {
  let at = behind;
  if (tokens[at]?.text === '-' && tokens[at]?.gap === '' && tokens[at + 1]?.gap === '') at++;
  else {
    while (/^[.:#/]$/.test(tokens[at]?.text ?? '')) at++;
    if (tokens[at]?.text === '-' && tokens[at + 1]?.gap === ' ') at++;
  }
  if (['رقم', 'no', 'number', 'ال'].includes(tokens[at]?.text ?? '')) {
    at += tokens[at]?.text === 'no' && tokens[at + 1]?.text === '.' ? 2 : 1;
    if (tokens[at]?.text === ':') at++;
  }
  return at;
}

const START = '(?<![a-z0-9\\u0621-\\u064a]|\\d[.,])';
const END = '(?![a-z0-9\\u0621-\\u064a]|[.,]\\d)';

const UNIT_NUMBER =
  /(?<![a-z0-9\u0621-\u064a])(?:(?:ال)?(?:شقه|وحده|مكتب|فيلا|غرفه)|apartment|apt|flat|unit|office|villa|room|tower|building|bldg|block|(?:ال)?(?:برج|عماره|مبني|بلوك))\.? ?(?:رقم|no\.?|number|#|:)? ?#?(?:[a-z]-?)?\d+[a-z]?(?![a-z0-9\u0621-\u064a]| ?(?:floors|stor|ادوار|طوابق|شق))/gu;
/** The number of floors of the building, after the floor: `3 of 12`, `3/12`, `الثاني من 5`. */
const OF_BUILDING =
  /(?: ?\/ ?| \(?(?:out )?of (?:an? |the )?(?:building (?:of|with) )?| (?:في |ب)?(?:عماره |مبني |برج )?من (?:اصل )?)(\d{1,3})(?![a-z0-9\u0621-\u064a])(?:[ -]?(?:storey|story|floors?|storeys|stories|ادوار|طوابق|دور|طابق)(?: (?:building|tower))?)?\)?/u;
/** A number of floors: `3 أدوار`, `12 storeys`, `عدد الأدوار 3`, `G+2`. */
const NUMBER_OF_FLOORS = new RegExp(
  `${START}(?:${[
    '(?:عدد (?:ال)?(?:ادوار|طوابق|دور)|(?:total|no\\.? of|number of) (?:floors|storeys|stories)|floors|storeys|stories)(?: in building)? ?[:=]? ?\\d{1,3}',
    '(?:\\d{1,3}|ثلاث(?:ه)?|اربع(?:ه)?|خمس(?:ه)?|ست(?:ه)?|two|three|four|five|six)[ -](?:floors|storeys|stories|storey|story|ادوار|طوابق)(?: (?:building|tower))?',
    '\\d{1,3}[ -]floor (?:building|tower|villa)',
    '(?:g|ground|(?:ال)?ارضي) ?\\+ ?\\d{1,2}',
    '(?:ال)?(?:ادوار|طوابق|دورين|طابقين|دوران)',
  ].join('|')})${END}`,
  'gu',
);
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

/** Returns the floors beside a word for floor, without denied ones, floor counts and numbers of flats. */
export function markedFloors(folded: string): string[] {
  const text = withoutCounts(folded);
  const found = new Set<string>();
  const add = (list: Floors | undefined): void => {
    if (list !== undefined && !list.isEither) for (const floor of list.floors) if (floor !== null) found.add(floor);
  };
  for (const match of matchesOf(text, ARABIC_MARKER)) addArabic(text, match, add);
  if (MAYBE_ENGLISH.test(text)) addEnglish(tokensOf(text), add);
  return [...found].sort((a, b) => rank(a) - rank(b));
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
  const named = folded.replace(UNIT_NUMBER, ' | ');
  const rest = MAYBE_DENIED.test(named) ? withoutDenied(named) : named;
  return MAYBE_COUNT.test(rest) ? rest.replace(NUMBER_OF_FLOORS, ' | ') : rest;
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
  const building = OF_BUILDING.exec(folded);
  const rest = (building === null ? folded : folded.replace(OF_BUILDING, '')).replace(UNIT_NUMBER, ' ').trim();
  const marked = markedFloors(rest);
  const plain = rest.replace(FURTHER, '').replace(/^[-|,،: ]+(?!\d)|[-|,،: ]+$|(?<=\d|\p{L}{2})\.$/gu, '');
  const bare = plain.search(NUMBER_OF_FLOORS) >= 0 ? [] : wholeFloors(plain);
  const floors = marked.length > 0 ? marked : bare;
  if (floors.length === 0 || floors.includes(null)) return null;
  // A floor above the building's last one is no floor.
  if (building !== null && floors.some((floor) => Number(floor) > Number(building[1]))) return null;
  return [...new Set(floors as string[])].sort((a, b) => rank(a) - rank(b)).join(',');
});

function rank(floor: string): number {
  const floorNumber = Number(floor);
  if (Number.isInteger(floorNumber)) return floorNumber + 1;
  const place = ORDER.indexOf(floor);
  return place < 2 ? place : MAX_FLOOR + 1 + place;
}

function numberedFloor(number: number): string | null {
  if (!Number.isInteger(number) || number > MAX_FLOOR || number < -9) return null;
  if (number < 0) return 'basement';
  return number === 0 ? 'ground' : String(number);
}

/**
 * Normalizes a floor to `basement`, `ground`, `upper`, `roof`, a number, or a comma-separated list of these, lowest
 * first (`ground,upper`). Null if no floor is stated, or if the words also state something else.
 */
export function readFloor(value: Scalar): string | null {
  if (isBlank(value)) return null;
  return typeof value === 'string' ? floorOfText(value) : numberedFloor(value as number);
}
