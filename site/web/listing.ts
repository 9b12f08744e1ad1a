import { COMPARABLES, type Comparables, comparison } from '#site/server/comparison.ts';
import { type ListingPageData, wordsOf } from '#site/server/listing-words.ts';
import type { PriceBand } from '#site-data/responses.ts';
import { showGallery } from './gallery.ts';
import { keepKey, readKey } from './key.ts';
import { pageData } from './page-data.ts';
import { leadBack } from './results.ts';

/** Runs the gallery of a listing page, the comparison with similar homes, and the link to the results. */
const data = pageData<ListingPageData>();
const { texts, id, baseUrl, language, city } = data;

const gallery = document.querySelector<HTMLElement>('.gallery');
if (gallery) showGallery(gallery, texts);

class Refused extends Error {}

async function call<Data>(path: string, key: string): Promise<Data> {
  const response = await fetch(`${baseUrl}/listings/${id}/${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    credentials: 'omit',
    signal: AbortSignal.timeout(15_000),
  });
  if (response.ok) return ((await response.json()) as { data: Data }).data;
  const reasons: Readonly<Record<number, string>> = {
    401: texts.compare_refused,
    403: texts.compare_scope,
    429: texts.compare_used_up,
  };
  throw new Refused(reasons[response.status] ?? texts.compare_failed);
}

const form = document.querySelector<HTMLElement>('#comparison-form');
const result = document.querySelector<HTMLElement>('#comparison');
const input = document.querySelector<HTMLInputElement>('#key');
const button = form?.querySelector('button');
if (form && result && input && button) {
  form.hidden = false;
  input.value = readKey(data.key);
  const compare = async (): Promise<void> => {
    const key = input.value.trim();
    if (key === '') return input.focus();
    keepKey(key);
    button.disabled = true;
    result.textContent = texts.compare_waiting;
    try {
      // Requested in sequence, so that a key without the scope is refused only once.
      const band = await call<PriceBand>('price-band', key);
      const found = await call<Comparables>(`comparables?limit=${COMPARABLES}`, key);
      // The markup is made by `html`, which escapes every value.
      result.innerHTML = comparison(band, found, city, wordsOf(language, texts)).markup;
      form.hidden = true;
    } catch (error) {
      result.textContent = error instanceof Refused ? error.message : texts.compare_failed;
    } finally {
      button.disabled = false;
    }
  };
  button.addEventListener('click', compare);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void compare();
  });
}

const back = document.querySelector<HTMLAnchorElement>('.back a');
if (back) leadBack(back, texts.back_to_results);
