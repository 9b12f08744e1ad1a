import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '#ingest/run/report.ts';

/** The point of a kill: a line of progress of a stage, and a delay in milliseconds. */
export interface Kill {
  stage: string;
  nth: number;
  delay: number;
}

/** Runs a script that writes its progress to stdout and ends with `completed`. Kills it at the given point, if reached. */
export async function runKillable(script: string, args: readonly string[], kill: Kill | null) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  /** Lines of progress by stage. */
  const stages = new Map<string, number>();
  let last = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    const stage = line.split(' ')[0] as string;
    const count = (stages.get(stage) ?? 0) + 1;
    stages.set(stage, count);
    if (stage === kill?.stage && count === kill.nth) {
      await sleep(kill.delay);
      child.kill('SIGKILL');
    }
  }
  await ended;
  stages.delete('completed');
  return { completed: last === 'completed', stages, last, errors };
}

/**
 * Chooses a point of a run: first while feeds are read, which happens once, then any stage with equal probability,
 * regardless of its number of lines.
 */
export function randomKill(stages: ReadonlyMap<string, number>, attempt: number): Kill {
  const number = attempt === 0 ? 0 : Math.floor(Math.random() * stages.size);
  const [stage, lines] = [...stages][number] as [string, number];
  return { stage, nth: 1 + Math.floor(Math.random() * lines), delay: Math.floor(Math.random() * 60) };
}

/** Writes a line of progress synchronously, because the reader kills the process at that point. */
export function writeProgress({ stage, source, done }: Progress): void {
  try {
    writeSync(1, `${stage} ${source ?? ''} ${done}\n`);
  } catch (error) {
    // The reader is about to kill this process and has stopped reading.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
