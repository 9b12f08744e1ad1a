import type { Step } from '#ingest/run/progress-bar.ts';
import type { OutputOptions } from './output.ts';

/** Shows progress on stderr, unless the output is JSON. */
export async function withProgress<T>(
  { json }: OutputOptions,
  work: (onProgress: (step: Step) => void) => Promise<T>,
): Promise<T> {
  const { showProgress } = await import('#ingest/run/progress-bar.ts');
  const progress = showProgress(process.stderr);
  return work(json ? () => {} : progress.update).finally(progress.end);
}

export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}
