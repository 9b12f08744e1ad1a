const failed = new EventTarget();
const RETRY = 'retry';

export function onRetry(repeat: () => void): () => void {
  failed.addEventListener(RETRY, repeat);
  return () => failed.removeEventListener(RETRY, repeat);
}

/** Repeats all failed requests, because parts of the page depend on several, and most fail for the same reason. */
export const retryFailed = (): void => {
  failed.dispatchEvent(new Event(RETRY));
};
