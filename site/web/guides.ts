import { bestOf, queryWords, type RankedTopic, rankedTopic, type SearchEntry } from '#site/server/search-words.ts';
import { elementOf, pageData } from './element.ts';
import { keysInCode, readKey } from './key.ts';

// Commands contain the visitor's key.
keysInCode()(readKey(pageData<{ key?: string | null }>().key ?? null));

const button = document.querySelector('.menu nav button');
button?.addEventListener('click', () => {
  button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') === 'false'));
});

/** The index is loaded with the first input. */
const MAX_RESULTS = 8;
const form = document.querySelector<HTMLFormElement>('form.search');
const input = form?.querySelector('input');
const status = form?.querySelector<HTMLElement>('[role=status]');
const results = form?.querySelector<HTMLElement>('.results');

interface Indexed extends RankedTopic {
  entry: SearchEntry;
}
let index: Promise<readonly Indexed[]> | null = null;

async function load(url: string): Promise<readonly Indexed[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(String(response.status));
  const entries = (await response.json()) as SearchEntry[];
  return entries.map((entry) => ({ entry, ...rankedTopic(entry) }));
}

/** Returns null if the index cannot be loaded. The next input loads it again. */
async function find(text: string): Promise<SearchEntry[] | null> {
  try {
    index ??= load(form?.dataset.index ?? '');
    const found = bestOf(await index, queryWords(text)).slice(0, MAX_RESULTS);
    return found.map(({ entry }) => entry);
  } catch {
    index = null;
    return null;
  }
}

/** Names and paths in Latin letters are isolated within Arabic text. */
const line = (tag: 'strong' | 'span', text: string): HTMLElement => elementOf(tag, {}, elementOf('bdi', {}, text));

async function show(): Promise<void> {
  if (!form || !input || !status || !results) return;
  const text = input.value.trim();
  if (text === '') return close();
  const found = await find(text);
  // The text may have changed while the index was loading.
  if (input.value.trim() !== text) return;
  const items = (found ?? []).map(([title, context, href]) => {
    const about = context === '' ? [] : [line('span', context)];
    return elementOf('li', {}, elementOf('a', { href }, line('strong', title), ...about));
  });
  // Only screen readers announce the number of results.
  status.textContent = found?.length
    ? `${form.dataset.found ?? ''} ${found.length}`
    : ((found === null ? form.dataset.failed : form.dataset.none) ?? '');
  status.classList.toggle('visually-hidden', Boolean(found?.length));
  results.replaceChildren(elementOf('ul', {}, ...items));
  results.hidden = !found?.length;
}

function close(): void {
  if (!status || !results) return;
  status.textContent = '';
  status.classList.add('visually-hidden');
  results.hidden = true;
}

const links = (): HTMLAnchorElement[] => [...(results?.querySelectorAll('a') ?? [])];

function move(step: 1 | -1): void {
  const all = links();
  const at = all.indexOf(document.activeElement as HTMLAnchorElement) + step;
  if (at < 0) input?.focus();
  else all[at]?.focus();
}

for (const event of ['focus', 'input']) input?.addEventListener(event, () => void show());
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  await show();
  links()[0]?.click();
});
form?.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else if (event.key === 'Escape') {
    input?.focus();
    close();
  } else return;
  event.preventDefault();
});
form?.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget as Node | null)) close();
});
// A result on the same page moves the view without loading a page.
results?.addEventListener('click', close);
document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
  event.preventDefault();
  input?.focus();
});
