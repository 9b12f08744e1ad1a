import { keepKey, readKey } from './key.ts';
import { pageData } from './page-data.ts';

/** Inserts the visitor's key into the commands on the home page. */
const input = document.querySelector<HTMLInputElement>('#key');
const blocks = [...document.querySelectorAll('.code code')].map((code) => ({ code, text: code.textContent ?? '' }));

function show(key: string): void {
  // Only characters that occur in keys are kept, because visitors paste the commands into a shell.
  const safe = key.replace(/\W/g, '');
  for (const { code, text } of blocks)
    code.textContent = text.replaceAll('<API_KEY>', safe === '' ? '<API_KEY>' : safe);
}

if (input) {
  input.value = readKey(pageData<{ key: string | null }>().key);
  show(input.value);
  input.addEventListener('input', () => {
    keepKey(input.value.trim());
    show(input.value);
  });
}
