import { readPosition } from '#site/server/explorer-place.ts';

/** Milliseconds without scrolling. Browsers limit the rate of `replaceState`. */
const SETTLED_MS = 100;

export function recordScroll(): void {
  history.replaceState({ ...readPosition(history.state), y: scrollY }, '');
}

/** The browser would restore the position before the results are loaded. */
export function keepScroll(): void {
  history.scrollRestoration = 'manual';
  let target: number | null = readPosition(history.state).y;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restore = (): void => {
    if (target === null || document.documentElement.scrollHeight - innerHeight < target) return;
    scrollTo({ top: target, behavior: 'instant' });
    target = null;
  };
  new ResizeObserver(restore).observe(document.body);
  addEventListener('popstate', ({ state }) => {
    clearTimeout(timer);
    target = readPosition(state).y;
    requestAnimationFrame(restore);
  });
  addEventListener('scroll', () => {
    clearTimeout(timer);
    if (target === null) timer = setTimeout(recordScroll, SETTLED_MS);
  });
  // After an interaction, the position is not restored.
  const leave = (): void => {
    target = null;
  };
  for (const input of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(input, leave, { passive: true });
  // The visitor may follow a link before the position is recorded.
  addEventListener('click', recordScroll, { capture: true });
}
