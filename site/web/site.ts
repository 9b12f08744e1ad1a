/** What every page has: a button that copies each block of code. */
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

// The other language shows the same search and the same section.
const language = document.querySelector<HTMLAnchorElement>('a.language');
const keepPlace = (): void => {
  if (!language) return;
  language.search = location.search;
  language.hash = location.hash;
};
for (const event of ['pointerover', 'focus', 'click']) language?.addEventListener(event, keepPlace);
