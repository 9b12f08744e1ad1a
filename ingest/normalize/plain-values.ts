import { withoutInvisible } from '#domain/file-text.ts';
import { storable } from '#domain/text/visible.ts';
import { decoded } from './decode-html.ts';
import { isBlank, type Scalar } from './numbers.ts';

/**
 * The type of a field in a mapped row. `degrees` may be the list of both coordinates, `texts` is a list of strings; an
 * object states the types of its properties.
 */
type FieldType = 'text' | 'scalar' | 'degrees' | 'flag' | 'texts' | 'any' | { readonly [name: string]: FieldType };

export type RawValue<Type> = Type extends 'text'
  ? string
  : Type extends 'scalar' | 'degrees'
    ? Scalar
    : Type extends 'flag'
      ? string | number | boolean
      : Type extends 'texts'
        ? readonly string[]
        : Type extends 'any'
          ? unknown
          : { -readonly [Name in keyof Type]?: RawValue<Type[Name]> | null };

type Fields<Row> = { readonly [Name in keyof Required<Row>]: FieldType };

/** A value that does not have the type of its field. */
const UNREAD = Symbol('unread');
type PlainValue = string | number | boolean | null | typeof UNREAD;

/** Values of feeds are flat. */
const MAX_DEPTH = 8;
/** Longer texts are no word for a missing value. */
const MAX_BLANK = 20;
/** An attribute or property with the unit of a value. */
const UNIT = /^@?(?:(?:price_?)?currency(?:_?code)?|units?|unit_?(?:code|text)|uom|period|frequency)$/i;
/** Attributes that are no values. */
const DESCRIBING = /^@(?:xmlns(?::.*)?|(?:[\w-]+:)?nil|(?:xml:)?lang)$/;
/** An attribute by which an empty element has no value, with any prefix. */
const NIL = /^@(?:[\w-]+:)?nil$/;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of items in lists that PHP writes as objects. */
const isIndex = (name: string): boolean => /^\d+$/.test(name);
export const isListed = (value: unknown): value is object =>
  isObject(value) && (Array.isArray(value) || Object.keys(value).every(isIndex));

/** Whether a value in `value` is stated: an empty element states nothing. */
const statesAny = (value: unknown, depth = 0): boolean =>
  isObject(value)
    ? depth === MAX_DEPTH || Object.values(value).some((each) => statesAny(each, depth + 1))
    : value !== null && value !== undefined && value !== '';

/** The stated values in an array or an object, without attributes if there are others. */
function partsOf(value: object): [name: string, value: unknown][] {
  const entries = Object.entries(value);
  if (entries.some(([name, each]) => each === 'true' && NIL.test(name))) return [];
  const stated = entries.filter(
    ([name, each]) => each !== null && each !== undefined && each !== '' && !DESCRIBING.test(name),
  );
  const elements = stated.filter(([name, each]) => !name.startsWith('@') && statesAny(each));
  // The unit of a missing amount: `{value: null, currency: 'SAR'}`.
  const isMissing = Object.keys(value).some((name) => !name.startsWith('@') && !UNIT.test(name));
  if (isMissing && elements.every(([name]) => UNIT.test(name))) {
    // An attribute can be the id of a missing value, or its only text: `<photo url="..."><caption/></photo>`.
    const isAttributed = stated.some(([name, each]) => name.startsWith('@') && !UNIT.test(name) && statesAny(each));
    return isAttributed && !('#text' in value) ? [['', UNREAD]] : [];
  }
  return elements.length > 0 ? elements : stated;
}

/**
 * Returns the only value in nested arrays and objects, such as 6000 for `{'@id': '1', '#text': '6000'}` and `[[6000]]`,
 * with its unit: `6000 SAR` for `{value: 6000, currency: 'SAR'}`. Null if nothing is stated.
 */
function onlyValue(value: unknown, depth = 0): PlainValue {
  if (!isObject(value)) return (value ?? null) as PlainValue;
  if (depth === MAX_DEPTH) return UNREAD;
  const units = Object.entries(value)
    .filter(([name]) => UNIT.test(name))
    .map(([, unit]) => onlyValue(unit, depth + 1))
    .filter((unit) => unit !== null && unit !== '');
  const parts = partsOf(value);
  const others = parts.filter(([name]) => !UNIT.test(name));
  const found = new Set((others.length > 0 ? others : parts).map(([, each]) => onlyValue(each, depth + 1)));
  found.delete(null);
  const [only = null] = found;
  if (found.size > 1 || units.includes(UNREAD)) return UNREAD;
  const isAmount = others.length > 0 && (typeof only === 'string' || typeof only === 'number') && only !== '';
  return isAmount && units.length > 0 ? [only, ...units].join(' ') : only;
}

/** Lists may be in an element of their own, and their items in objects. */
function itemsOf(value: unknown, depth = 0): unknown[] {
  if (!isObject(value)) return [value];
  if (depth === MAX_DEPTH) return [UNREAD];
  const parts = partsOf(value);
  if (parts.length > 1 && !parts.every(([name]) => isIndex(name))) return [UNREAD];
  return parts.flatMap(([, each]) => itemsOf(each, depth + 1));
}

function plainScalar(value: unknown, type: 'text' | 'scalar' | 'flag'): PlainValue {
  const only = isObject(value) ? onlyValue(value) : ((value ?? null) as PlainValue);
  if (typeof only === 'string') return decoded(only) ?? UNREAD;
  if (typeof only === 'number') return type === 'text' ? (Number.isNaN(only) ? null : String(only)) : only;
  return only === null || (typeof only === 'boolean' && type === 'flag') ? only : UNREAD;
}

/** Returns the value as a text or number; null for others. */
export function readScalar(value: unknown): string | number | null {
  const plain = plainScalar(value, 'scalar');
  return typeof plain === 'string' || typeof plain === 'number' ? plain : null;
}

/** An id as it is stored: without the marks of text direction and others that spreadsheets copy beside it. */
export const feedId = (id: unknown): string => storable(withoutInvisible(String(readScalar(id) ?? '')).trim());

/**
 * For mappings that process a value: an element, array or object with one value is that value. Others are returned
 * unchanged, whatever their type, so that they are reported as unread.
 */
export function valueIn<Type extends 'text' | 'scalar' | 'flag'>(value: unknown, type: Type): RawValue<Type> | null {
  const only = onlyValue(value);
  const read = type === 'text' && typeof only === 'number' ? String(only) : only;
  return (read === UNREAD ? value : read) as RawValue<Type> | null;
}

export const listIn = (value: unknown): string[] =>
  itemsOf(value ?? '')
    .filter((item) => item !== '')
    .map((item) => (item === UNREAD ? value : typeof item === 'number' ? String(item) : item) as string);

/** Whether a feed states anything by a value. */
export const isStated = (value: unknown): boolean =>
  itemsOf(value).some((item) => item !== null && item !== undefined && item !== '');

/**
 * Reduces the values of a row to the types of its fields, and decodes their texts.
 * @returns `unread`: the values that do not have the type of their field, which are null or missing in `row`
 */
export function plainValues<Row extends object>(
  row: Row,
  fields: Fields<Row>,
): { row: Row; unread: [string, unknown][] } {
  const unread: [string, unknown][] = [];
  const plain: Record<string, unknown> = {};
  for (const name in fields) {
    const value = (row as Record<string, unknown>)[name];
    plain[name] = plainValue(value, fields[name as keyof Row], () => unread.push([name, value]));
  }
  return { row: plain as Row, unread };
}

function plainValue(value: unknown, type: FieldType, onUnread: () => void): unknown {
  if (type === 'any' || value === null || value === undefined) return value;
  if (type === 'degrees') {
    // A third number of GeoJSON is a height.
    const items = Array.isArray(value) ? itemsOf(value) : [];
    const isPoint = (items.length === 2 || items.length === 3) && !items.some((item) => typeof item === 'symbol');
    return plainValue(isPoint ? items.slice(0, 2).join(', ') : value, 'scalar', onUnread);
  }
  if (type === 'texts') {
    const items = itemsOf(value).map((item) => plainScalar(item, 'text'));
    if (items.includes(UNREAD)) onUnread();
    const texts = items.filter((item) => typeof item === 'string' && !(item.length <= MAX_BLANK && isBlank(item)));
    return texts.length > 0 || Array.isArray(value) ? texts : null;
  }
  if (typeof type === 'object') {
    const [object = null, ...others] = Array.isArray(value) ? value.filter(isStated) : [value];
    const names = Object.keys(type);
    const isKnown = isObject(object) && others.length === 0 && Object.keys(object).some((name) => names.includes(name));
    const fits = isKnown || !isStated(value);
    if (!fits) onUnread();
    if (!fits || !isObject(object)) return null;
    return Object.fromEntries(
      Object.entries(type).map(([name, own]) => [name, plainValue(object[name as keyof typeof object], own, onUnread)]),
    );
  }
  const plain = plainScalar(value, type);
  if (plain !== UNREAD) return plain;
  onUnread();
  return null;
}
