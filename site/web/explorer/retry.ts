const failed = new EventTarget();
const RETRY = 'retry';

export function onRetry(repeat: () => void): () => void {
  failed.addEventListener(RETRY, repeat);
  return () => failed.removeEventListener(RETRY, repeat);
}

/** Parts of the page depend on several requests, and most fail for the same reason. */
export const retryFailed = (): void => {
  failed.dispatchEvent(new Event(RETRY));
};
