import { characterOfCode, characterOfName } from '../../normalize/decode-html.ts';

/** Characters that XML does not allow, in texts and sections. */
const FORBIDDEN = /[[\p{Cc}--[\t\n\r\u007f-\u009f]]\ufffe\uffff]/gv;
const SECTION = /<!--|<!\[CDATA\[|<\?/g;
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };
const REFERENCE = /&(?:#(\d{1,7}|x[\da-f]{1,6});|([a-z][a-z\d]{1,7});)?/gi;
const TAG =
  /<(?:\/?[A-Za-z_:\x80-\uffff][^\s/<>"'=&]*(?:\s+[^\s/<>"'=]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>=/]+))?)*\s*\/?>|!?)|\]\]>/g;
/** An attribute as HTML allows it, without quotes or without a value. */
const ATTRIBUTE = /(\s[^\s/<>"'=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=/]+))?/g;

/**
 * A record with common faults of exporters, as well-formed XML: with the characters that XML does not allow removed, the
 * names of HTML replaced, and `&` and `<` in texts escaped. Tags that do not match are unchanged.
 */
export function repairedRecord(text: string): string {
  let repaired = '';
  let at = 0;
  SECTION.lastIndex = 0;
  for (let start = SECTION.exec(text); start !== null; start = SECTION.exec(text)) {
    const end = text.indexOf(ENDS[start[0]] as string, start.index + start[0].length);
    if (end === -1) break;
    repaired += repairedText(text.slice(at, start.index));
    at = end + (ENDS[start[0]] as string).length;
    if (start[0] !== '<!--') repaired += text.slice(start.index, at).replace(FORBIDDEN, '');
    SECTION.lastIndex = at;
  }
  return repaired + repairedText(text.slice(at));
}

const NAMES_OF_XML = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

const repairedText = (text: string): string =>
  text
    .replace(FORBIDDEN, '')
    .replace(TAG, (found) => {
      if (found === '<' || found === ']]>') return found.replace('<', '&lt;').replace('>', '&gt;');
      const quoted = found.replace(ATTRIBUTE, (_, name: string, value = '""') =>
        /^["']/.test(value) ? `${name}=${value}` : `${name}="${value}"`,
      );
      return quoted.replace(/^<br\b([^/]*)>$/i, '<br$1/>');
    })
    .replace(REFERENCE, (found, code?: string, name?: string) => {
      const character = code === undefined ? characterOfName(name ?? '') : characterOfCode(code);
      if (character === undefined) return `&amp;${found.slice(1)}`;
      return NAMES_OF_XML.has(name ?? '') || /[<&"']/.test(character) ? found : character;
    })
    .toWellFormed()
    .replace(FORBIDDEN, '');
