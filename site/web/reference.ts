import './guides.ts';
import { formatter } from '#site/server/format.ts';
import type { SampledOperation } from '#site/server/reference-page.ts';
import type { Language } from '#src/documents/language.ts';
import { type Clients, codeSamples, fillPath } from '#src/openapi/samples.ts';
import { elementOf, pageData } from './element.ts';
import { keepKey, readKey } from './key.ts';

/** Maximum characters of a response that are shown. */
const MAX_SHOWN = 200_000;

interface Data {
  key: string | null;
  audience: 'public' | 'data' | 'admin';
  texts: { sending: string; noResponse: string; units: string };
  language: Language;
  operation: SampledOperation;
  clients: Clients;
}

const form = document.querySelector<HTMLFormElement>('.test-request');
if (form) enableTestRequest(form, pageData<Data>());

function enableTestRequest(form: HTMLFormElement, { key, audience, texts, language, operation, clients }: Data): void {
  const keyInput = form.querySelector<HTMLInputElement>('#key');
  const status = form.querySelector('output') as HTMLOutputElement;
  const block = form.querySelector('.code') as HTMLElement;
  const code = block.querySelector('code') as HTMLElement;
  const help = form.querySelector('.error-help') as HTMLAnchorElement;
  // All pages in a browser tab share the data key.
  if (keyInput && audience === 'data') {
    keyInput.value = readKey(key);
    keyInput.addEventListener('change', () => keepKey(keyInput.value.trim()));
  }
  form.addEventListener('input', () => showSamples(form, operation, clients));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    status.value = texts.sending;
    status.className = '';
    help.hidden = true;
    const begun = performance.now();
    let text = '';
    try {
      const response = await send(form, keyInput?.value.trim());
      text = await response.text();
      status.className = response.ok ? 'good' : 'bad';
      const units = response.headers.get('X-Request-Units');
      const duration = `${Math.round(performance.now() - begun)} ms`;
      status.value = [
        response.status,
        duration,
        ...(units === null ? [] : [formatter(language).count(texts.units, Number(units))]),
      ].join(' · ');
    } catch {
      status.value = texts.noResponse;
      status.className = 'bad';
    }
    const json = parse(text);
    if (json === undefined) code.textContent = text.slice(0, MAX_SHOWN);
    else highlight(code, JSON.stringify(json, null, 2).slice(0, MAX_SHOWN));
    block.hidden = text === '';
    const error = (json as ErrorBody | undefined)?.error;
    if (error) {
      help.hash = error.code;
      help.hidden = false;
    }
    markField(form, error);
  });
}

interface ErrorBody {
  error?: { code: string; message: string; param: string | null };
}

const BLOCKS = { curl: 'sh', typescript: 'ts', python: 'python' } as const;

function showSamples(form: HTMLFormElement, operation: SampledOperation, clients: Clients): void {
  const { url = '' } = form.dataset;
  const text = form.querySelector('textarea')?.value;
  const body = text === undefined ? undefined : parse(text);
  if (text !== undefined && body === undefined) return;
  const baseUrl = url.slice(0, -operation.path.replace(/^\/v1/, '').length);
  const call = { ...valuesOf(form, typed), body };
  for (const { lang, source } of codeSamples(operation, call, baseUrl, clients)) {
    const code = document.querySelector<HTMLElement>(`[data-language="${BLOCKS[lang]}"] code`);
    if (code) highlight(code, source);
  }
}

function typed(value: string, type = ''): unknown {
  if (type === 'boolean') return value === 'true';
  return (type === 'integer' || type === 'number') && value.trim() !== '' && !Number.isNaN(Number(value))
    ? Number(value)
    : value;
}

function send(form: HTMLFormElement, key: string | undefined): Promise<Response> {
  const { url: template = '', method = 'GET' } = form.dataset;
  const { path, query } = valuesOf(form, String);
  const encoded = Object.entries(path).map(([name, value]) => [name, encodeURIComponent(value)]);
  const url = fillPath(template, Object.fromEntries(encoded));
  const search = String(new URLSearchParams(query));
  const body = form.querySelector('textarea')?.value;
  return fetch(search === '' ? url : `${url}?${search}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  });
}

/** Examples replace missing path parameters. */
function valuesOf<Value>(form: HTMLFormElement, read: (value: string, type?: string) => Value) {
  const path: Record<string, Value> = {};
  const query: Record<string, Value> = {};
  for (const field of fields(form)) {
    const { name, dataset } = field;
    const isPath = dataset.in === 'path';
    const value = field.value || (isPath ? (field.getAttribute('placeholder') ?? '') : '');
    if (value !== '') (isPath ? path : query)[name] = read(value, dataset.type);
  }
  return { path, query };
}

const fields = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]');

function markField(form: HTMLFormElement, error: ErrorBody['error']): void {
  form.querySelector('#field-error')?.remove();
  for (const field of fields(form)) {
    const isInvalid = field.name === error?.param;
    field.ariaInvalid = isInvalid ? 'true' : null;
    field.removeAttribute('aria-describedby');
    if (!isInvalid) continue;
    const message = elementOf('small', { id: 'field-error', dir: 'auto' }, error?.message ?? '');
    field.after(message);
    field.setAttribute('aria-describedby', message.id);
    const details = field.closest('details');
    if (details) details.open = true;
    field.focus();
  }
}

/** Words of JSON and of the samples, by the class that the server's highlighter gives them. */
const WORDS =
  /(?<attr>"(?:[^"\\]|\\.)*"(?=:))|(?<string>\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<keyword>\b(?:import|from|const|await|async|true|false|null)\b)|(?<number>(?<![\w./-])-?\d[\d.]*\b)/g;

/** Much smaller than the highlighter of the server. */
function highlight(code: HTMLElement, text: string): void {
  const parts: (string | Node)[] = [];
  let end = 0;
  for (const { 0: word, index, groups = {} } of text.matchAll(WORDS)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    parts.push(text.slice(end, index), elementOf('span', { className: `hljs-${kind}` }, word));
    end = index + word.length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
