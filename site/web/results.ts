const NAME = 'results';

/** The Navigation API, if the browser has it. */
const { navigation } = globalThis as { navigation?: Navigation };

/** Stores the address of the results when the visitor leaves the explorer. */
export function rememberResults(): void {
  if (!/\/explorer$/.test(location.pathname)) return;
  addEventListener('pagehide', () =>
    sessionStorage.setItem(NAME, JSON.stringify({ href: location.href, key: navigation?.currentEntry?.key ?? null })),
  );
}

/** Changes a link to the results from which the visitor came, if any. */
export function leadBack(link: HTMLAnchorElement, text: string): void {
  const stored = sessionStorage.getItem(NAME);
  if (stored === null) return;
  const { href, key } = JSON.parse(stored) as { href: string; key: string | null };
  link.textContent = text;
  link.href = href;
  // Traversal restores the scroll position, which a new visit does not.
  if (key === null || !navigation?.entries().some((entry) => entry.key === key)) return;
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigation.traverseTo(key);
  });
}
