/** Adds a copy button to each code block, on every page. */
const { copy = 'Copy', copied = 'Copied' } = document.body.dataset;

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
    }, 1_500);
  });
  block.append(button);
}

// The link to the other language keeps the query and the fragment.
const language = document.querySelector<HTMLAnchorElement>('a.language');
const keepPlace = (): void => {
  if (!language) return;
  language.search = location.search;
  language.hash = location.hash;
};
for (const event of ['pointerover', 'focus', 'click']) language?.addEventListener(event, keepPlace);
