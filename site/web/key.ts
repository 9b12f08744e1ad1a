const NAME = 'key';

/** The key that was pasted in this tab, which only its session stores, or the demo key. */
export const readKey = (demo: string | null): string => sessionStorage.getItem(NAME) ?? demo ?? '';

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);

const PLACEHOLDER = '<API_KEY>';

export function keysInCode(): (key: string) => void {
  const blocks = [...document.querySelectorAll('.code code')].flatMap((code) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    return texts.filter(({ data }) => data.includes(PLACEHOLDER)).map((node) => ({ node, text: node.data }));
  });
  return (key) => {
    // Visitors paste the commands into a shell.
    const safe = key.replace(/\W/g, '');
    for (const { node, text } of blocks) node.data = text.replaceAll(PLACEHOLDER, safe === '' ? PLACEHOLDER : safe);
  };
}
