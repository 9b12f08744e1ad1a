import names from './html-names.json' with { type: 'json' };

/** By the name in HTML, in its case; empty for marks that are invisible. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(names));

/** The character of a name of HTML; undefined for other names. */
export const characterOfName = (name: string): string | undefined => NAMES.get(name) ?? NAMES.get(name.toLowerCase());

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const WINDOWS_1252 = new TextDecoder('windows-1252').decode(ALL_BYTES);
const WINDOWS_1256 = new TextDecoder('windows-1256').decode(ALL_BYTES);

/** As HTML does: numbers of control characters are of Windows-1252. Half of a pair is completed by the next reference. */
export function characterOfCode(code: string): string {
  const point = Number(/^x/i.test(code) ? `0${code}` : code);
  if (point >= 0x80 && point < 0xa0) return WINDOWS_1252[point] as string;
  return point === 0 || point > 0x10ffff ? '' : String.fromCodePoint(point);
}

/** Exporters escape texts more than once: `&amp;nbsp;`. */
const REFERENCE = /&(?:amp;)*(?:(?<name>[a-z][a-z\d]{1,7})|#(?<code>\d{1,7}|x[\da-f]{1,6}));|&(?:amp;)+/gi;

export const withoutReferences = (text: string): string =>
  text.replace(REFERENCE, (...match) => {
    const { name, code } = match.at(-1) as Record<string, string | undefined>;
    if (code !== undefined) return characterOfCode(code);
    return name === undefined ? '&' : (characterOfName(name) ?? `&${name};`);
  });

/** JSON in a text: `\u0634`, and without the backslashes that WordPress removes. */
const ESCAPES = /\\{1,4}u([\da-f]{4})|(?:u06[\da-f]{2}){2,}|\\{1,4}(\/|n|r|t|"|')/gi;
const LEFT = /\\u[\da-f]/i;

function withoutEscapes(text: string): string {
  return text.replace(/\\{1,4}r\\{1,4}n/g, '\\n').replace(ESCAPES, (run, code?: string, sign?: string) => {
    if (sign !== undefined) return /[nr]/i.test(sign) ? '\n' : /t/i.test(sign) ? ' ' : sign;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return run.replace(/u([\da-f]{4})/gi, (_, point) => String.fromCharCode(Number.parseInt(point, 16)));
  });
}

/** The byte of a character of Windows-1252, or of a control character of Latin-1. */
const BYTES: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 32 }, (_, at): [string, number] => [String.fromCharCode(0x80 + at), 0x80 + at]),
  ...Array.from(WINDOWS_1252, (character, byte): [string, number] => [character, byte]),
]);
const ARABIC_BYTES: ReadonlyMap<string, number> = new Map(Array.from(WINDOWS_1256, (each, byte) => [each, byte]));

const FOLLOWING = `[\\u0080-\\u00bf${WINDOWS_1252.slice(0x80, 0xa0)}]`;
const UTF_8 = new RegExp(
  `(?:[\\u00c2-\\u00df]${FOLLOWING}|[\\u00e0-\\u00ef]${FOLLOWING}{2}|[\\u00f0-\\u00f4]${FOLLOWING}{3})+`,
  'g',
);
const ARABIC_FOLLOWING = `[${WINDOWS_1256.slice(0x80, 0xc0)}]`;
/** Arabic letters in UTF-8, whose first byte is ط to غ. */
const ARABIC_UTF_8 = new RegExp(`(?:[آأطظعغ]${ARABIC_FOLLOWING}|â${ARABIC_FOLLOWING}{2})+`, 'g');
const LATIN_RUN = /[\u00c0-\u00ff]{3}/;
/** What texts of ads contain: not the rare letters that Latin characters in a row would happen to encode. */
const EXPECTED = new RegExp(
  `^[\\u0080-\\u00ff${WINDOWS_1252.slice(0x80, 0xa0)}\\u0600-\\u06ff\\u2000-\\u206f\\u2100-\\u214f\\u2190-\\u2bff\\ufb50-\\ufefc\\ufe0f\\u{1f000}-\\u{1faff}]+$`,
  'u',
);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function inUtf8(run: string, bytes: ReadonlyMap<string, number>): string {
  try {
    const text = strict.decode(Uint8Array.from(run, (character) => bytes.get(character) ?? 0));
    return EXPECTED.test(text) ? text : run;
  } catch {
    return run;
  }
}

/** Repairs one wrong decoding. Null if some of the text cannot be repaired. */
function redecoded(text: string): string | null {
  const hasArabic = /[\u0621-\u064a]/.test(text);
  if (!hasArabic && LATIN_RUN.test(text)) {
    const read = text.replace(/\P{ASCII}/gu, (each) => WINDOWS_1256[BYTES.get(each) ?? -1] ?? each);
    return /[\u0621-\u064a]/.test(read) && /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]/.test(read) ? null : read;
  }
  const read = text.replace(UTF_8, (run) => inUtf8(run, BYTES));
  if (read !== text) return !hasArabic && /[ØÙ]/.test(read.replace(UTF_8, '')) ? null : read;
  const runs = hasArabic ? (text.match(ARABIC_UTF_8) ?? []) : [];
  if (runs.join('').length < 4 || /[\u0621-\u064a]/.test(text.replace(ARABIC_UTF_8, ''))) return text;
  return text.replace(ARABIC_UTF_8, (run) => inUtf8(run, ARABIC_BYTES));
}

/** Arabic letters as in addresses (`%D8%B4`) and mails (`=D8=B4`). */
const BYTE_PAIRS = /(?:[%=]D[89AB][%=][89AB][\dA-F](?:[%=]20)?){2,}/gi;

const withoutByteCodes = (text: string): string =>
  text.replace(BYTE_PAIRS, (run) => {
    const bytes = Uint8Array.from(run.match(/[\dA-F]{2}/gi) ?? [], (code) => Number.parseInt(code, 16));
    return new TextDecoder().decode(bytes);
  });

const MAX_DECODINGS = 3;
const LOST = /[?\ufffd]/g;

/** Whether a text was stored in an encoding without its letters: `???? ?????`. */
const isLost = (text: string): boolean =>
  /\?\?|\ufffd/.test(text) && (text.match(LOST)?.length ?? 0) > (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);

const MAYBE_ENCODED =
  /[&\\\u0080-\u00ff\ufffd]|u06|\?\?|[%=]D[89AB][%=]|[طظ][^\s\p{L}\p{N}\p{M}.,:،؛)(!؟/-]|[طظ][٠-٩پٹچژڈگکڑںھ]/u;

/**
 * Returns a text as its author wrote it: without the escapes of HTML and JSON, and decoded again if it was decoded in a
 * wrong encoding (UTF-8 as Windows-1252 or Windows-1256, Windows-1256 as Latin-1). Null if it is unreadable.
 */
export function decoded(text: string): string | null {
  if (!MAYBE_ENCODED.test(text)) return text;
  let read = text.includes('&') ? withoutReferences(text) : text;
  if (/\\|u06/.test(read)) read = withoutEscapes(read);
  if (/[%=]D[89AB][%=]/i.test(read) && !read.includes('://')) read = withoutByteCodes(read);
  for (let times = 0; times < MAX_DECODINGS && /\P{ASCII}/u.test(read); times++) {
    const next = redecoded(read);
    if (next === null) return null;
    if (next === read) break;
    read = next;
  }
  return LEFT.test(read) || isLost(read) ? null : read;
}
