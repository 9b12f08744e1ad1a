import { Marked, type Token, Tokenizer, type Tokens } from 'marked';
import { type Code, codeBlock, codeBlocks } from './code.ts';
import { escapeText, Html, wideTable } from './html.ts';

export interface Heading {
  id: string;
  level: number;
  text: string;
}

/** @throws Error if a placeholder `{{name}}` has no value */
export function fillPlaceholders(source: string, values: Readonly<Record<string, string>>): string {
  return source.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`{{${name}}} has no value.`);
    return value;
  });
}

/**
 * HTML in the source is escaped. The id of a heading is derived from its text, or set by `{#id}` after it.
 * @param output heading of code blocks with output
 * @returns `title`: the first level 1 heading, not in `body`; `headings`: levels 2 and 3
 */
export function renderMarkdown(text: string, output = 'Output') {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  let title = '';
  const unique = (id: string): string => {
    const seen = ids.get(id) ?? 0;
    ids.set(id, seen + 1);
    return seen === 0 ? id : `${id}-${seen + 1}`;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text: markup }: Tokens.HTML | Tokens.Tag) => escapeText(markup),
      heading({ tokens, depth, text: raw }: Tokens.Heading) {
        const own = /\s*\{#([\w-]+)\}$/.exec(raw);
        const inner = this.parser.parseInline(tokens).replace(/\s*\{#[\w-]+\}$/, '');
        const plain = raw.replace(/\s*\{#[\w-]+\}$/, '').replace(/[`*]/g, '');
        if (depth === 1 && title === '') {
          title = plain;
          return '';
        }
        const id = unique(own?.[1] ?? slugOf(plain));
        if (depth <= 3) headings.push({ id, level: depth, text: plain });
        return `<h${depth} id="${escapeText(id)}"><a class="anchor" href="#${escapeText(id)}">${inner}</a></h${depth}>\n`;
      },
      // This renders blocks in lists and quotations.
      code: ({ text: code, lang }: Tokens.Code) => codeBlock(code, lang?.split(' ')[0]).markup,
      codespan: ({ text: code }: Tokens.Codespan) => `<code dir="ltr">${escapeText(code)}</code>`,
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        return isSafe(href) ? `<a href="${escapeText(href)}">${inner}</a>` : inner;
      },
      image: ({ text: words }: Tokens.Image) => escapeText(words),
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const head = token.header.every((cell) => cell.text === '') ? '' : `<thead>${row(token.header, 'th')}</thead>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        const label = headings.at(-1)?.text ?? title;
        return `${wideTable(label, new Html(`<table>${head}<tbody>${body}</tbody></table>`)).markup}\n`;
      },
    },
  });
  marked.use({
    tokenizer: {
      // Arabic punctuation after an address is not part of it.
      url(source) {
        const end = source.search(/[،؛؟»…]/u);
        return end === -1 ? false : Tokenizer.prototype.url.call(this, source.slice(0, end));
      },
    },
    hooks: { processAllTokens: (tokens) => groupCode(tokens, output) },
    extensions: [{ name: 'codes', renderer: (token) => codeBlocks((token as unknown as CodeGroup).blocks).markup }],
  });
  const body = new Html(marked.parse(text, { async: false }));
  return { title, body, headings };
}

const OUTPUTS: ReadonlySet<string> = new Set(['json', 'text']);

/** With nothing between the blocks. */
interface CodeGroup {
  type: 'codes';
  raw: string;
  blocks: Code[];
}

function groupCode(tokens: readonly Token[], output: string): Token[] {
  const grouped: (Token | CodeGroup)[] = [];
  let last: CodeGroup | null = null;
  for (const token of tokens) {
    if (token.type === 'space' && last) continue;
    if (token.type !== 'code') {
      last = null;
      grouped.push(token);
      continue;
    }
    const { text, lang = '', raw } = token as Tokens.Code;
    const [language = ''] = lang.split(' ');
    if (!last) {
      last = { type: 'codes', raw: '', blocks: [] };
      grouped.push(last);
    }
    last.raw += raw;
    last.blocks.push({ text, language, ...(OUTPUTS.has(language) && { output }) });
  }
  return grouped;
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');

/** A page on this site, an http(s) URL or a mail address. */
const isSafe = (href: string): boolean => /^(mailto:|https?:\/\/|\/(?!\/)|#|[\w-]+(\/|#|$))/.test(href);
