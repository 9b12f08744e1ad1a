import { SaxesParser } from 'saxes';
import { named } from './fields.ts';

/** Text, or an object if the element has attributes or other elements. */
type XmlValue = string | XmlRow | readonly XmlValue[];

/** Elements by name (an array if a name repeats), attributes as `@name`, and own text as `#text`. */
export interface XmlRow {
  [name: string]: XmlValue;
}

/** Bytes in a `latin1` string, or the reason why the record has no end. */
export type XmlRecord =
  | { fault: null; text: string }
  | { fault: 'malformed_row' | 'too_large'; detail: string; text: string };

/** In a record and around it. */
const MAX_DEPTH = 32;
/** A longer tag is text, which makes its record malformed. */
const MAX_TAG_BYTES = 64 * 1024;
const START_BYTES = 2_048;

/** The end of the name is certain, so that a tag without an end takes linear time. */
const TAG = /<(\/?)([A-Za-z_:\x80-\xff][^\s/<>"'=]*)(?![^\s/<>"'=])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;
const DECLARATION = /<!doctype(?:[^<>"'[]|"[^"<]*"|'[^'<]*')*>/iy;
const SECTIONS: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

type Token =
  | { kind: 'open' | 'close' | 'empty'; name: string; end: number }
  | { kind: 'section'; end: number }
  | { kind: 'text'; end: number }
  | { kind: 'incomplete'; section: readonly [start: string, end: string] | null };

export interface XmlRecordsOptions {
  name: string;
  parent: string;
  record: string;
  maxRecordBytes: number;
}

/**
 * Finds records by their tags without parsing their contents, so that a malformed one does not affect its neighbors, in
 * bytes and in bounded memory. A start tag within a record begins the next one: the record before it has no end tag.
 */
export class XmlRecords {
  /** Why the feed is incomplete, once it has been read. */
  cut: string | null = null;
  hasParent = false;
  readonly #options: XmlRecordsOptions;
  #buffer = '';
  #at = 0;
  /** Position of the current record; null outside of records. */
  #start: number | null = null;
  /** Start of a record over the limit, the rest of which is not kept. */
  #tooLarge: string | null = null;
  /** Elements around the records. */
  readonly #open: string[] = [];
  #hasRoot = false;

  constructor(options: XmlRecordsOptions) {
    this.#options = options;
  }

  /** @throws if the feed has a document type declaration or is nested too deep */
  *read(chunk: string): Generator<XmlRecord> {
    this.#buffer += chunk;
    for (;;) {
      const at = this.#buffer.indexOf('<', this.#at);
      this.#passText(at === -1 ? this.#buffer.length : at);
      if (at === -1) break;
      const token = this.#token(at);
      if (token.kind === 'incomplete') {
        this.#boundSection(at, token.section);
        break;
      }
      this.#at = token.end;
      this.#boundRecord();
      yield* this.#pass(token, at);
    }
    this.#boundRecord();
    const kept = this.#start ?? this.#at;
    this.#buffer = this.#buffer.slice(kept);
    this.#at -= kept;
    if (this.#start !== null) this.#start = 0;
  }

  /** Sets `cut`. */
  *end(): Generator<XmlRecord> {
    const isOpen = this.#isInRecord();
    if (isOpen) yield this.#fault('the feed ends in the middle of a record', this.#buffer.length);
    if (isOpen || this.#open.length > 0 || this.#at < this.#buffer.length)
      this.cut = isOpen ? 'the feed ends in the middle of a record' : 'the feed ends before its root element is closed';
  }

  #isInRecord(): boolean {
    return this.#start !== null || this.#tooLarge !== null;
  }

  #passText(to: number): void {
    if (this.#open.length === 0 && this.#buffer.slice(this.#at, to).replace('\xef\xbb\xbf', '').trim() !== '')
      this.cut ??= 'the feed has text outside of its root element';
    this.#at = to;
  }

  #token(at: number): Token {
    const buffer = this.#buffer;
    for (const section of SECTIONS) {
      const [start, end] = section;
      if (!buffer.startsWith(start, at)) continue;
      const found = buffer.indexOf(end, at + start.length);
      return found === -1 ? { kind: 'incomplete', section } : { kind: 'section', end: found + end.length };
    }
    if (!this.#isInRecord() && /^<!doctype/i.test(buffer.slice(at, at + 9))) return this.#declaration(at);
    TAG.lastIndex = at;
    const tag = TAG.exec(buffer);
    if (tag !== null) {
      const [text, slash, name = ''] = tag;
      const kind = slash === '/' ? 'close' : text.endsWith('/>') ? 'empty' : 'open';
      return { kind, name, end: at + text.length };
    }
    // Attribute values contain no `<`, so the tag is malformed if another one begins before its end.
    const next = buffer.indexOf('<', at + 1);
    if (next !== -1) return { kind: 'text', end: next };
    return buffer.length - at > MAX_TAG_BYTES
      ? { kind: 'text', end: buffer.length }
      : { kind: 'incomplete', section: null };
  }

  /** Of a document type without entities, whose file is not read. */
  #declaration(at: number): Token {
    DECLARATION.lastIndex = at;
    const found = DECLARATION.exec(this.#buffer);
    if (found !== null) return { kind: 'section', end: at + found[0].length };
    const begun = this.#buffer.slice(at);
    if (begun.length <= MAX_TAG_BYTES && !/[[>]/.test(begun)) return { kind: 'incomplete', section: null };
    throw new Error(
      `${this.#options.name} has a document type declaration with entities, which is not accepted. Export it without <!DOCTYPE>`,
    );
  }

  *#pass(token: Exclude<Token, { kind: 'incomplete' }>, at: number): Generator<XmlRecord> {
    const { parent, record } = this.#options;
    if (token.kind === 'section') return;
    if (token.kind === 'text') {
      if (!this.#isInRecord()) this.cut ??= 'the feed has malformed markup between its records';
      return;
    }
    const { kind, name, end } = token;
    const isRecord = name.length === record.length && name.toLowerCase() === record.toLowerCase();
    if (this.#isInRecord()) {
      if (kind === 'close' && isRecord) {
        yield this.#tooLarge === null
          ? { fault: null, text: this.#buffer.slice(this.#start as number, end) }
          : this.#fault('', end);
        this.#start = null;
        this.#tooLarge = null;
        return;
      }
      const endsHere = kind === 'close' ? name === this.#open.at(-1) : isRecord;
      if (!endsHere) return;
      yield this.#fault(`the record has no end tag </${record}>`, at);
      this.#start = null;
      this.#tooLarge = null;
    }
    if (kind === 'close') this.#close(name);
    else if (isRecord && (this.#open.length === 1 || this.#open.at(-1) === parent)) {
      this.hasParent = true;
      if (kind === 'empty') yield { fault: null, text: this.#buffer.slice(at, end) };
      else this.#start = at;
    } else this.#enter(name, kind === 'empty');
  }

  #enter(name: string, isEmpty: boolean): void {
    if (this.#open.length === 0 && this.#hasRoot) this.cut ??= 'the feed has more than one root element';
    this.#hasRoot = true;
    if (name === this.#options.parent) this.hasParent = true;
    if (isEmpty) return;
    this.#open.push(name);
    if (this.#open.length > MAX_DEPTH)
      throw new Error(`${this.#options.name} has more than ${MAX_DEPTH} elements within each other`);
  }

  #close(name: string): void {
    const from = this.#open.lastIndexOf(name);
    if (from !== this.#open.length - 1 || from === -1)
      this.cut ??= `the feed has an end tag </${name.slice(0, 100)}> without its start`;
    if (from !== -1) this.#open.length = from;
  }

  #fault(detail: string, end: number): XmlRecord {
    const { maxRecordBytes } = this.#options;
    if (this.#tooLarge !== null)
      return { fault: 'too_large', detail: `a record of more than ${maxRecordBytes} bytes`, text: this.#tooLarge };
    return { fault: 'malformed_row', detail, text: this.#buffer.slice(this.#start ?? 0, end) };
  }

  #boundRecord(): void {
    if (this.#start === null || this.#at - this.#start <= this.#options.maxRecordBytes) return;
    this.#tooLarge = this.#buffer.slice(this.#start, this.#start + START_BYTES);
    this.#start = null;
  }

  /** Keeps of a comment or a section over the limit only its start, and the bytes in which its end may begin. */
  #boundSection(at: number, section: readonly [start: string, end: string] | null): void {
    if (section === null || this.#buffer.length - at <= this.#options.maxRecordBytes) return;
    if (this.#start !== null) {
      this.#tooLarge = this.#buffer.slice(this.#start, this.#start + START_BYTES);
      this.#start = null;
    }
    const [start, end] = section;
    this.#buffer = `${start} ${this.#buffer.slice(1 - end.length)}`;
    this.#at = 0;
  }
}

/** Elements of HTML in a text without CDATA, whose text belongs to the text around them. */
const OF_HTML = /^(?:a|br|b|div|em|font|h[1-6]|i|p|small|span|strong|sub|sup|u)$/i;
const BREAKS: Readonly<Record<string, string>> = { br: '\n', div: '\n', p: '\n\n' };

/**
 * Only the five entities of XML and character references are replaced.
 * @throws if the record is malformed or nested too deep
 */
export function parseRecord(text: string): XmlRow {
  const parser = new SaxesParser();
  const open: { name: string; own: string; values: [name: string, value: XmlValue][] }[] = [];
  let root: XmlRow = {};
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === MAX_DEPTH) throw new Error(`more than ${MAX_DEPTH} elements within each other`);
    const values = Object.entries(attributes as Record<string, string>);
    open.push({ name, own: '', values: values.map(([attribute, value]) => [`@${attribute}`, value]) });
  });
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (part) => {
      const element = open.at(-1);
      if (element) element.own += part;
    });
  parser.on('closetag', () => {
    const { name, own, values } = open.pop() as (typeof open)[number];
    const parent = open.at(-1);
    const lineBreak = BREAKS[name.toLowerCase()] ?? '';
    const isText = OF_HTML.test(name) && (own.trim() !== '' || lineBreak !== '');
    // The elements of the record itself are fields.
    if (parent && open.length > 1 && isText && values.every(([each]) => each.startsWith('@'))) {
      parent.own += `${lineBreak}${own}`;
      return;
    }
    const value = contentOf(own.trim(), values, parent === undefined);
    if (parent === undefined) root = value as XmlRow;
    else parent.values.push([name, value]);
  });
  parser.write(text).close();
  return root;
}

function contentOf(text: string, values: readonly [name: string, value: XmlValue][], isRow: boolean): XmlValue {
  if (values.length === 0 && !isRow) return text;
  return named(text === '' ? values : [...values, ['#text', text]]);
}
