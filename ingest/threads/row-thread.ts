import { threadId, workerData } from 'node:worker_threads';
import { Boundaries, type BoundaryParts } from '#domain/geography/boundaries.ts';
import { type OpenReader, PROGRESS, type Task } from './task.ts';

const boundaries = new Boundaries(...(workerData as BoundaryParts));

export default async function readRows({ module, context, rows, progress }: Task): Promise<unknown[]> {
  const { default: open } = (await import(module)) as { default: OpenReader<unknown, unknown, unknown> };
  const read = await open(context, boundaries);
  progress[PROGRESS.thread] = threadId;
  return rows.map((row, at) => {
    progress[PROGRESS.row] = at;
    return read(row);
  });
}
