import { CONTENT, pageData } from './element.ts';
import { keepKey, keysInCode, readKey } from './key.ts';

/** Pause in typing in milliseconds, after which the text is answered. */
const DEBOUNCE_MS = 350;
/** A shorter text says nothing yet. */
const MIN_LENGTH = 3;
const TIMEOUT_MS = 15_000;

const key = document.querySelector<HTMLInputElement>('#key');
const answer = document.querySelector<HTMLElement>('#answer');
const sentence = document.querySelector<HTMLInputElement>('.seek input');
let show = keysInCode();
if (key) {
  key.value = readKey(pageData<{ key: string | null }>().key);
  show(key.value);
  key.addEventListener('input', () => {
    keepKey(key.value.trim());
    show(key.value);
  });
}

if (answer && sentence) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let call = new AbortController();
  let answered = '';
  sentence.addEventListener('input', () => {
    clearTimeout(timer);
    call.abort();
    const text = sentence.value.trim();
    answer.ariaBusy = 'false';
    if (text.length < MIN_LENGTH || text === answered) return;
    timer = setTimeout(() => {
      call = new AbortController();
      void answerTo(answer, text, call.signal).then((isDone) => {
        if (isDone) answered = text;
      });
    }, DEBOUNCE_MS);
  });
}

/** @returns whether the answer is shown */
async function answerTo(place: HTMLElement, text: string, cancelled: AbortSignal): Promise<boolean> {
  const { path = '', failed = '', busy = '' } = place.dataset;
  place.ariaBusy = 'true';
  try {
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(`${path}?${new URLSearchParams({ sentence: text })}`, { signal });
    if (response.ok) {
      // The markup is made by `html`, which escapes every value.
      place.innerHTML = ((await response.json()) as { markup: string }).markup;
      place.dispatchEvent(new Event(CONTENT, { bubbles: true }));
      show = keysInCode();
      show(key?.value ?? '');
    } else place.textContent = response.status === 429 ? busy : failed;
    place.ariaBusy = 'false';
    return response.ok;
  } catch {
    if (cancelled.aborted) return false;
    place.textContent = failed;
    place.ariaBusy = 'false';
    return false;
  }
}
