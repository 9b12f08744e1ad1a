import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { IngestMessage, IngestOrders } from './ingest-process.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface IngestMeasurement {
  rows: number;
  seconds: number;
  rows_per_second: number;
  peak_rss_mb: number;
  stages: Record<string, number>;
}

export interface SampleServer {
  url: string;
  close(): void;
}

export async function serveSample(dir: string): Promise<SampleServer> {
  const child = fork(here('./host-process.ts'));
  child.send({ dir });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the host of the sample feeds did not start');
    }),
  ])) as [{ url: string }];
  return { url: message.url, close: () => child.disconnect() };
}

/** Runs one ingest in a separate process and returns its measurements. */
export async function measureIngest(
  env: Readonly<Record<string, string>>,
  orders: IngestOrders,
  onProgress: (stage: string, done: number) => void,
  signal: AbortSignal,
): Promise<IngestMeasurement> {
  const child = fork(here('./ingest-process.ts'), { env: { ...process.env, ...env } });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const result = Promise.withResolvers<Extract<IngestMessage, { type: 'done' }>>();
  child.on('message', (message: IngestMessage) => {
    if (message.type === 'progress') onProgress(message.stage, message.done);
    else if (message.type === 'done') result.resolve(message);
    else result.reject(new Error(`ingest failed: ${message.message}`));
  });
  child.once('exit', (code, by) => result.reject(new Error(`the ingest process ended (${by ?? code})`)));
  child.send(orders);
  try {
    const { rows, seconds, stages, peakRssMb } = await result.promise;
    return { rows, seconds, stages, rows_per_second: rows / seconds, peak_rss_mb: peakRssMb };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
