import { foldDigits, foldText } from '#domain/fold.ts';
import { withoutReferences } from './decode-html.ts';
import { matchesOf } from './patterns.ts';

const TITLE_CHARACTERS = 300;
const DESCRIPTION_CHARACTERS = 10_000;
/** Longer texts are truncated before cleaning, which bounds the time per row. */
const READ_CHARACTERS = 4 * DESCRIPTION_CHARACTERS;

/** Control characters except line breaks, and ignorable ones except joiners and the selectors and tags of emojis. */
const HIDDEN =
  /[[\p{Cc}--\n][\p{Default_Ignorable_Code_Point}--[\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}]]\ufffd]/gv;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;
const TATWEEL_RUN = /\u0640{2,}/g;
/** A symbol or emoji (with skin tone or variant) that is repeated four times or more. */
const SIGN_RUN =
  /((?![\p{L}\p{N}\s])(?:[\u{1f000}-\u{1faff}][\u{1f3fb}-\u{1f3ff}\ufe0f]?|[\p{P}\p{S}]\ufe0f?))\1{3,}/gu;
/** A fast precheck. */
const MAYBE_SIGN_RUN = /([^\s\u0621-\u064aa-zA-Z0-9]\S{0,3}?)\1{3}/;
const SPACE_RUN = /[^\S\n]{2,}|[\t\u00a0\u2000-\u200a\u202f\u3000]/g;
const SPACED_BREAK = / \n ?|\n /g;
const BREAK_RUN = /\n{3,}/g;

/** One line, without contact details; null if nothing remains. */
export function cleanTitle(text: string | null | undefined): string | null {
  if (typeof text !== 'string') return null;
  const title = capped(clean(text).replace(/\n+/g, ' '), TITLE_CHARACTERS);
  return title === '' ? null : title;
}

/** Without contact details; possibly empty. */
export function cleanDescription(text: string | null | undefined): string {
  return typeof text === 'string' ? capped(clean(text), DESCRIPTION_CHARACTERS) : '';
}

/** Null if there is none, or if the text is Arabic. */
export function cleanEnglish(text: string | null | undefined): string | null {
  const english = cleanDescription(text);
  const arabic = english.match(/[\u0620-\u064a]/g)?.length ?? 0;
  return english === '' || arabic * 2 > english.length ? null : english;
}

/** One line of at most `max` characters; null if there is none. */
export function cleanName(text: string | null | undefined, max: number): string | null {
  if (typeof text !== 'string') return null;
  const name = withoutMarkup(text).replace(LINE_ENDS, ' ').replace(HIDDEN, '').replace(/\s+/g, ' ').trim();
  return name === '' ? null : capped(name, max);
}

function clean(text: string): string {
  const read = text.length > READ_CHARACTERS ? text.slice(0, READ_CHARACTERS) : text;
  const visible = withoutMarkup(read)
    .replace(LINE_ENDS, '\n')
    .replace(/\t/g, ' ')
    .replace(HIDDEN, '')
    .replace(TATWEEL_RUN, '\u0640');
  const calm = MAYBE_SIGN_RUN.test(visible) ? visible.replace(SIGN_RUN, '$1$1$1') : visible;
  return withoutContacts(calm).replace(SPACE_RUN, ' ').replace(SPACED_BREAK, '\n').replace(BREAK_RUN, '\n\n').trim();
}

/** Truncates a text without splitting a surrogate pair. */
function capped(text: string, max: number): string {
  if (text.length <= max) return text.isWellFormed() ? text : text.toWellFormed();
  return text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd();
}

const LINK =
  /(?:https?:\/\/)?(?:www\.)?(?:wa\.me|wa\.link|whats\.link|(?:api|chat|web)\.whatsapp\.com|t\.me)\/[^\s<>"]*|whatsapp:\/\/[^\s<>"]*|tel:[+\d-]+/gi;
const MAYBE_LINK = /wa\.me|\.link|whatsapp|t\.me|tel:/i;
const E_MAIL = /[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;

/** Fast precheck: at least eight digits with only separators in between, which every telephone number has. */
const MAYBE_PHONE =
  /[\doO٠-٩۰-۹\uff10-\uff19](?:(?:[\s.()/_،,*\u0640-]|\ufe0f|\u20e3){0,4}[\doO٠-٩۰-۹\uff10-\uff19]){7}/;
/** Separators between the digits of a telephone number with a leading zero or country code. Amounts contain fewer. */
const SEPARATOR = '(?:(?:[ ()./_\\u00a0\\u0640-]|\\ufe0f|\\u20e3){0,3}|[،,]| ?\\*{1,3} ?| ?\\n ?)';
const PLAIN_SEPARATOR = '[ .()/_\\u00a0\\u0640-]{0,3}';
const digits = (count: number, separator = SEPARATOR): string => `(?:${separator}\\d){${count}}`;
const COUNTRY = `(?:(?:\\+|00)${SEPARATOR})?966${SEPARATOR}0?${SEPARATOR}`;
/**
 * Matches Saudi numbers in text with Latin digits: mobile and landline numbers with 0 or the country code, mobile
 * numbers without either (unless a currency follows), 9200 and 800 services, and numbers after `+`.
 */
const PHONE = new RegExp(
  `(?:${[
    `(?<!\\d)(?:${COUNTRY}|0${SEPARATOR})(?:5${digits(8)}|1${SEPARATOR}[1-7]${digits(7)})(?!\\d)`,
    `(?<![\\d.,])5\\d${digits(7, PLAIN_SEPARATOR)}(?!\\d|[.,]\\d|\\s*(?:ريال|ر\\.?س|ألف|الف|sar|sr))`,
    `(?<!\\d)9200${digits(5)}(?!\\d)`,
    `(?<!\\d)800[ -]?\\d{3}[ -]?\\d{4}(?!\\d)`,
    `\\+${SEPARATOR}\\d{1,3}${digits(9)}(?!\\d)`,
  ].join('|')})(?:\\ufe0f|\\u20e3)*`,
  'gi',
);

export function withoutContacts(text: string): string {
  let rest = text;
  if (MAYBE_LINK.test(rest)) rest = rest.replace(LINK, ' ');
  if (rest.includes('@')) rest = rest.replace(E_MAIL, ' ');
  if (!MAYBE_PHONE.test(rest)) return rest;
  // Digit folding preserves the length, so positions in the folded text are valid in the original.
  let kept = '';
  let at = 0;
  for (const match of matchesOf(asDigits(rest), PHONE)) {
    if (isAmount(match[0], rest.slice(Math.max(0, match.index - 20), match.index))) continue;
    kept += `${rest.slice(at, match.index)} `;
    at = match.index + match[0].length;
  }
  return kept + rest.slice(at);
}

/** Replaces full-width digits, and the letter O among digits. The result has the same length. */
function asDigits(text: string): string {
  return foldDigits(text)
    .replace(/[\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/(?<!\p{L})o(?=[\s.()/_،,*-]{0,3}[\do])|(?<=\d)o(?!\p{L})/giu, '0');
}

const PRICE_WORD = /(?:سعر\p{L}*|الحد|حد|السوم|سوم|المطلوب|مطلوب|بمبلغ|price|sar|sr)[\s:]*$/iu;

/** Returns whether nine digits are an amount rather than a mobile number: round, or after a word for an amount. */
function isAmount(number: string, before: string): boolean {
  return number.startsWith('5') && (/(?:0\D*){5}$/.test(number) || PRICE_WORD.test(before));
}

const BREAK = /<br\s*\/?>|<\/(?:p|div|li|ul|ol|h[1-6]|tr)>/gi;
const TAG = /<\/?[a-z][^<>]*>|<!\[CDATA\[|\]\]>/gi;
const NO_TEXT = /<(script|style)\b[^<>]*>.{0,2000}?<\/\1>|<!--.{0,2000}?-->/gis;
/** Exports of editors contain HTML. */
function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return withoutReferences(text).replace(NO_TEXT, ' ').replace(BREAK, '\n').replace(TAG, '');
}

/** Longer values are texts. */
export const MAX_VALUE = 200;

/** Control characters, with which databases pad texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\0-\x08\x0e-\x1f]/g;

/** Folds a field's value; empty if it is too long for one. */
export function foldValue(text: string): string {
  if (text.length > MAX_VALUE) return '';
  return foldText(withoutMarkup(text).replace(CONTROL, '').replaceAll('\u2212', '-'));
}
