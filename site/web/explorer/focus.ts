/** Moves the focus of an element that disappears to its nearest visible ancestor with a tabindex. */
export function keepFocus(root: Element): void {
  let focused: Element | null = null;
  let parts: HTMLElement[] = [];
  const check = (): void => {
    // An element that is hidden keeps the focus until the next frame.
    const { activeElement, body } = document;
    const lost = activeElement === body ? focused : activeElement;
    if (!lost || lost.checkVisibility()) return;
    parts.find((part) => part.checkVisibility())?.focus({ preventScroll: true });
  };
  root.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
    parts = [];
    for (let part = focused.parentElement; part && part !== root; part = part.parentElement)
      if (part.tabIndex === -1 && part.hasAttribute('tabindex')) parts.push(part);
  });
  new MutationObserver(check).observe(root, { childList: true, subtree: true, attributeFilter: ['open', 'hidden'] });
}
