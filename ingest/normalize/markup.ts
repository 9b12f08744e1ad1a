const BREAK = /<br\s*\/?>|<\/(?:p|div|li|ul|ol|h[1-6]|tr)>/gi;
const TAG = /<\/?[a-z][^<>]*>|<!\[CDATA\[|\]\]>/gi;
const NO_TEXT = /<(script|style)\b[^<>]*>.{0,2000}?<\/\1>|<!--.{0,2000}?-->/gis;
const NAMES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  bull: '•',
  hellip: '…',
  times: '×',
  sup2: '²',
};
/** Exporters escape texts more than once: `&amp;nbsp;`. */
const REFERENCE = new RegExp(
  `&(?:amp;)*(?:(?<name>${Object.keys(NAMES).join('|')}|[rl]rm|zwn?j)|#(?<code>\\d{1,7}|x[\\da-f]{1,6}));|&(?:amp;)+`,
  'gi',
);

function characterOf(name: string | undefined, code: string | undefined): string {
  if (code === undefined) return name === undefined ? '&' : (NAMES[name.toLowerCase()] ?? '');
  const point = Number(code.startsWith('x') || code.startsWith('X') ? `0${code}` : code);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/** Removes HTML tags and decodes character references, which exports of editors contain. */
export function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text
    .replace(REFERENCE, (...match) => {
      const { name, code } = match.at(-1) as Record<string, string | undefined>;
      return characterOf(name, code);
    })
    .replace(NO_TEXT, ' ')
    .replace(BREAK, '\n')
    .replace(TAG, '');
}
