import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '#ingest/run/run-report.ts';

/** When to kill the process: at a progress line of a stage, after a delay in milliseconds. */
export interface Kill {
  stage: string;
  nth: number;
  delay: number;
}

/**
 * Runs a script that writes progress to stdout and ends with `completed`. Kills the script at the given point, if
 * reached.
 */
export async function runKillable(script: string, args: readonly string[], kill: Kill | null) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  /** Number of progress lines by stage. */
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

/** Writes a progress line synchronously, because the parent process kills this process at that line. */
export function writeProgress({ stage, source, done }: Progress): void {
  try {
    writeSync(1, `${stage} ${source ?? ''} ${done}\n`);
  } catch (error) {
    // The parent process is about to kill this process and no longer reads its output.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
