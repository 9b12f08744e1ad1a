import { openScreen, type Screen, SILENT } from '#start/screen.ts';
import type { OutputOptions } from './output.ts';

/** Progress goes to stderr, because stdout has the report. It is not shown if the output is JSON. */
export const screenOf = ({ json }: OutputOptions): Screen => (json ? SILENT : openScreen(process.stderr));

export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}
