/** For content and quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** The type prevents plain text from being used as markup. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Renders text between backticks as code, which is always left-to-right. */
export const withCode = (text: string): Html =>
  new Html(escapeText(text).replace(/`([^`]+)`/g, '<code dir="ltr">$1</code>'));

/** Scrolls sideways where the page is narrower, also by keyboard. */
export const wideTable = (label: string, table: Html): Html =>
  html`<div class="wide" role="group" aria-label="${label}" tabindex="0">${table}</div>`;

export const dataTable = (label: string, columns: readonly string[], rows: readonly Html[], kind = ''): Html =>
  wideTable(
    label,
    html`<table${new Html(kind && ` class="${kind}"`)}><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
  );

export const section = (id: string, title: Part, ...content: readonly Part[]): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;

export const factList = (facts: readonly (readonly [name: string, value: Part])[]): Html =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Null and false are omitted. */
type Part = Html | string | number | null | false | readonly Part[];

/** Template tag that escapes all values except `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (Array.isArray(part)) return part.map(render).join('');
  return part === null || part === false ? '' : escapeText(String(part));
}
