import type { CONSOLE_TEXTS } from '#site/text/index.ts';
import { escapeText, Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { Membership, Session } from '#src/sign-in/sign-in.ts';
import { timeOf } from '../coverage-page.ts';
import type { Formatter } from '../format.ts';
import type { Site } from '../page.ts';
import { FOCUSED } from '../sign-in/forms.ts';
import { type Client, type Values, withQuery } from './client.ts';

type ConsoleTexts = (typeof CONSOLE_TEXTS)['en'];
type Part = Parameters<typeof html>[1];

/** A request of a page of the console. */
export interface View {
  site: Site;
  client: Client;
  session: Session & { member: Membership };
  language: Language;
  texts: ConsoleTexts;
  format: Formatter;
  /** Display name of a value in a list of `GET /enums`. */
  nameOf(list: string, value: string): string;
  /** Without the language prefix. */
  path: string;
  query: URLSearchParams;
  now: number;
  requestId: string;
  /** The form that the API has refused, whose values the page keeps. */
  refused: URLSearchParams | null;
  /** Identifies the effect of each form of the page. */
  once(): string;
}

/** A page with its forms. An action returns what follows: a panel on the page, a path, or the page again. */
export interface ConsolePage {
  name: keyof ConsoleTexts['pages'];
  render(view: View): Promise<Part>;
  actions?: Readonly<Record<string, (view: View, form: URLSearchParams) => Promise<Html | string | undefined>>>;
}

export const link = ({ language }: View, page: string, query: Values = {}): string =>
  pathIn(language, withQuery(`/console/${page}`, query));

/**
 * A form that is sent to the address of its page. One that ends something, and has no fields, opens before it is sent.
 * @param hidden values that identify what it changes
 */
export function form(
  view: View,
  action: string,
  submit: string,
  fields: Part = null,
  { hidden = {}, kind = '' }: { hidden?: Values; kind?: string } = {},
): Html {
  const { refused, texts, session } = view;
  const values = Object.entries({ _action: action, _once: view.once(), _member: session.member.id, ...hidden });
  const isRefused =
    refused?.get('_action') === action &&
    Object.entries(hidden).every(([name, value]) => refused.get(name) === String(value));
  const content = isRefused && fields instanceof Html ? refilled(fields, refused) : fields;
  const markup = html`<form method="post" class="${`console-form ${kind}`.trim()}">${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}">`)}${content}<button class="${kind === '' ? 'main' : kind}">${submit}</button></form>`;
  const isConfirmed = kind !== 'danger' || fields !== null;
  return isConfirmed
    ? markup
    : html`<details class="confirm"><summary>${submit}</summary><p class="note">${texts.at_once}</p>${markup}</details>`;
}

/** Fields with the values that were sent. Pure. */
function refilled({ markup }: Html, given: URLSearchParams): Html {
  const texts = markup.replace(
    /(<input name="(\w+)"[^>]*? value=")[^"]*/g,
    (_, start: string, name: string) => `${start}${escapeText(given.get(name) ?? '')}`,
  );
  const boxes = texts.replace(
    /<input type="checkbox" name="(\w+)" value="([^"]*)"( checked)?/g,
    (_, name: string, value: string) => {
      const isChecked = given.getAll(name).some((each) => escapeText(each) === value);
      return `<input type="checkbox" name="${name}" value="${value}"${isChecked ? ' checked' : ''}`;
    },
  );
  const areas = boxes.replace(
    /(<textarea name="(\w+)"[^>]*>)[^<]*/g,
    (_, start: string, name: string) => `${start}${escapeText(given.get(name) ?? '')}`,
  );
  return new Html(
    areas.replace(/<select name="(\w+)">[\s\S]*?<\/select>/g, (select, name: string) =>
      select
        .replaceAll(' selected', '')
        .replace(`value="${escapeText(given.get(name) ?? '')}"`, (found) => `${found} selected`),
    ),
  );
}

/** A button with an effect on one object. */
export const button = (view: View, action: string, label: string, hidden: Values): Html =>
  form(view, action, label, null, { hidden, kind: 'inline' });

interface Input {
  value?: string | number | null;
  type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'url';
  required?: boolean;
  hint?: string;
  maxLength?: number;
  /** Whether the value is read from left to right, as addresses are. */
  isLatin?: boolean;
}

const flag = (name: string, isSet: boolean | undefined): Html => new Html(isSet ? ` ${name}` : '');

export const input = (
  name: string,
  label: string,
  { value, type = 'text', required, hint, maxLength, isLatin = type === 'url' || type === 'email' }: Input = {},
): Html =>
  html`<label><span>${label}</span><input name="${name}" type="${type}" value="${value ?? ''}"${flag('required', required)}${maxLength === undefined ? null : html` maxlength="${maxLength}"`}${type === 'number' ? html` min="0" step="any" inputmode="decimal"` : null}${isLatin ? html` dir="ltr"` : null}>${hint === undefined ? null : html`<small>${hint}</small>`}</label>`;

export type Options = readonly (readonly [value: string, label: string])[];

export const choice = (name: string, label: string, options: Options, value: string | null = ''): Html =>
  html`<label><span>${label}</span><select name="${name}">${options.map(([each, text]) => html`<option value="${each}"${flag('selected', each === (value ?? ''))}>${text}</option>`)}</select></label>`;

export const checks = (name: string, label: string, options: Options, values: readonly string[], hint?: string): Html =>
  html`<fieldset><legend>${label}</legend>${options.map(([value, text]) => html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${flag('checked', values.includes(value))}> ${text}</label>`)}${hint === undefined ? null : html`<small>${hint}</small>`}</fieldset>`;

export const area = (name: string, label: string, value: string, hint?: string): Html =>
  html`<label><span>${label}</span><textarea name="${name}" rows="4" dir="ltr">${value}</textarea>${hint === undefined ? null : html`<small>${hint}</small>`}</label>`;

/** The name of an operation, which narrow screens break between its words. */
export const operationName = (name: string): Html =>
  html`<code dir="ltr">${name.split(/(?=[A-Z])/).map((word, at) => html`${at > 0 && html`<wbr>`}${word}`)}</code>`;

/** An object of a list, whose details and forms open without a script. */
export const item = (title: Part, note: Part, ...content: readonly Part[]): Html =>
  html`<details class="item"><summary><strong><bdi>${title}</bdi></strong> <small>${note}</small></summary>${content}</details>`;

/** A form that opens. It is open if the API has refused it, or the address has a search for it. */
export const opened = ({ refused, query }: View, action: string, label: string, content: Html): Html =>
  html`<details class="item add"${flag('open', refused?.get('_action') === action || query.has('search'))}><summary><strong>${label}</strong></summary>${content}</details>`;

/** Each part in its own direction. */
export const dots = (...parts: readonly Part[]): Html =>
  html`${parts.filter((part) => part !== null && part !== false).map((part, at) => html`${at > 0 && ' · '}<bdi>${part}</bdi>`)}`;

export const list = (items: readonly Part[], none: string): Html =>
  items.length === 0 ? html`<p class="note">${none}</p>` : html`<div class="items">${items}</div>`;

export const code = (text: string): Html => html`<div class="code"><pre dir="ltr"><code>${text}</code></pre></div>`;

export const panel = (title: string, ...content: readonly Part[]): Html =>
  html`<section class="panel" ${FOCUSED} role="status"><h2>${title}</h2>${content}</section>`;

export const moment = ({ format, texts }: View, time: string | Date | null): Part =>
  time === null ? texts.never : timeOf(new Date(time).getTime(), format.moment);

/** Link to the next page of a list. */
export const more = (view: View, cursor: string | null): Part =>
  cursor !== null &&
  html`<p><a href="?${new URLSearchParams([...[...view.query].filter(([name]) => name !== 'cursor'), ['cursor', cursor]]).toString()}">${view.texts.more}</a></p>`;

/** A form that changes the query of its page. */
export const filter = (submit: string, ...fields: readonly Part[]): Html =>
  html`<form method="get" class="console-form filter">${fields}<button>${submit}</button></form>`;

/** A day at 00:00 UTC; null for none. Pure. */
export const dayOf = (form: URLSearchParams, name: string): string | null =>
  form.get(name) ? `${form.get(name)}T00:00:00Z` : null;

export const field = (form: URLSearchParams, name: string): string => form.get(name)?.trim() ?? '';
