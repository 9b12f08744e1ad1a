import { keepKey, readKey } from './key.ts';
import { pageData } from './page-data.ts';

/** Maximum characters of a response that are shown. */
const MAX_SHOWN = 200_000;

interface Data {
  /** The demo key, if the installation has one. */
  key: string | null;
  /** Whether the operation accepts data keys, which the pages of a tab share. */
  acceptsDataKey: boolean;
  texts: { sending: string; noResponse: string };
}

const form = document.querySelector<HTMLFormElement>('.test-request');
if (form) enableTestRequest(form, pageData<Data>());

function enableTestRequest(form: HTMLFormElement, { key, acceptsDataKey, texts }: Data): void {
  const keyInput = form.querySelector<HTMLInputElement>('#key');
  const status = form.querySelector('output') as HTMLOutputElement;
  const block = form.querySelector('.code') as HTMLElement;
  const code = block.querySelector('code') as HTMLElement;
  if (keyInput && acceptsDataKey) {
    keyInput.value = readKey(key);
    keyInput.addEventListener('change', () => keepKey(keyInput.value.trim()));
  }
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    status.value = texts.sending;
    const begun = performance.now();
    let text = '';
    try {
      const response = await send(form, keyInput?.value.trim());
      text = await response.text();
      const units = response.headers.get('X-Request-Units');
      const duration = `${Math.round(performance.now() - begun)} ms`;
      status.value = [response.status, duration, ...(units === null ? [] : [`X-Request-Units: ${units}`])].join(' · ');
    } catch {
      status.value = texts.noResponse;
    }
    const json = parse(text);
    code.textContent = (json === undefined ? text : JSON.stringify(json, null, 2)).slice(0, MAX_SHOWN);
    block.hidden = text === '';
    markField(form, (json as ErrorBody | undefined)?.error?.param);
  });
}

interface ErrorBody {
  error?: { param: string | null };
}

/** Sends the operation with the values of the form. */
function send(form: HTMLFormElement, key: string | undefined): Promise<Response> {
  const { url: template = '', method = 'GET' } = form.dataset;
  let path = template;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of fields(form)) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const body = form.querySelector('textarea')?.value;
  return fetch(query.size > 0 ? `${path}?${query}` : path, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  });
}

const fields = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]');

/** Marks the field that an error names. */
function markField(form: HTMLFormElement, param: string | null | undefined): void {
  for (const field of fields(form)) {
    const isInvalid = field.name === param;
    field.ariaInvalid = isInvalid ? 'true' : null;
    if (!isInvalid) continue;
    const details = field.closest('details');
    if (details) details.open = true;
    field.focus();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
