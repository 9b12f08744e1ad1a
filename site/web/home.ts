import { keepKey, readKey } from './key.ts';
import { pageData } from './page-data.ts';

/** Inserts the visitor's key into the commands on the home page. */
const input = document.querySelector<HTMLInputElement>('#key');
const PLACEHOLDER = '<API_KEY>';
const blocks = [...document.querySelectorAll('.code code')].flatMap((code) => {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter(({ data }) => data.includes(PLACEHOLDER)).map((node) => ({ node, text: node.data }));
});

function show(key: string): void {
  // Only characters that occur in keys are kept, because visitors paste the commands into a shell.
  const safe = key.replace(/\W/g, '');
  for (const { node, text } of blocks) node.data = text.replaceAll(PLACEHOLDER, safe === '' ? PLACEHOLDER : safe);
}

if (input) {
  input.value = readKey(pageData<{ key: string | null }>().key);
  show(input.value);
  input.addEventListener('input', () => {
    keepKey(input.value.trim());
    show(input.value);
  });
}
