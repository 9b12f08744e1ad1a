import { pageData } from './element.ts';
import { keepKey, keysInCode, readKey } from './key.ts';

const input = document.querySelector<HTMLInputElement>('#key');
if (input) {
  const show = keysInCode();
  input.value = readKey(pageData<{ key: string | null }>().key);
  show(input.value);
  input.addEventListener('input', () => {
    keepKey(input.value.trim());
    show(input.value);
  });
}
