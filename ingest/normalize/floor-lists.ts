import { numberedFloor } from './floor-numbers.ts';
import { MAX_TOKENS, type Token } from './floor-tokens.ts';
import {
  BASEMENTS,
  CLASSES,
  COUNTED,
  EITHER,
  ENGLISH_MARKERS,
  MARKERS,
  ORDINAL_ENDS,
  ORDINALS,
  type Ordinal,
  TEEN,
  UPPER,
} from './floor-words.ts';

/** A floor, which is null if the number is none, and the position of the next token. */
interface FloorMatch {
  floor: string | null;
  next: number;
}

/** Returns whether neither a letter nor a digit follows, as in `3.5`. */
export function endsAt(tokens: readonly Token[], next: number): boolean {
  const [token, after] = [tokens[next], tokens[next + 1]];
  if (token === undefined || token.gap !== '') return true;
  if (token.isNumber || token.isWord) return false;
  return !((token.text === '.' || token.text === ',') && after?.isNumber && after.gap === '');
}

/** @param first replaces the text of the first token, for example without an attached "and" */
export function floorAt(tokens: readonly Token[], at: number, first = tokens[at]?.text ?? ''): FloorMatch | null {
  for (const found of candidates(tokens, at, first)) if (endsAt(tokens, found.next)) return found;
  return null;
}

function* candidates(tokens: readonly Token[], at: number, first: string): Generator<FloorMatch> {
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

function* ordinalsAt(tokens: readonly Token[], at: number, { value, part }: Ordinal): Generator<FloorMatch> {
  const next = tokens[at + 1];
  const found = function* (number: number, end: number): Generator<FloorMatch> {
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

export interface Floors {
  floors: readonly (string | null)[];
  /** One of several floors, which states none. */
  isEither: boolean;
}
type FloorList = Floors & { next: number };

/** Returns the lists of floors that start at a token, the longest first. */
export function listsAt(tokens: readonly Token[], at: number): FloorList[] {
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
function joinedAt(tokens: readonly Token[], at: number): (FloorMatch & { isEither: boolean }) | null {
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
export function afterMarker(tokens: readonly Token[], behind: number): number {
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
