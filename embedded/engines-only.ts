// Starts only the engines, for development, and prints their addresses; or runs the command in the arguments with these
// in its environment, and stops the engines when it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Problem } from '#domain/process/problem.ts';
import { onStopSignal } from '#domain/process/signals.ts';
import { startEngines } from './engines.ts';

const say = (line: string) => console.error(line);
const [command, ...args] = process.argv.slice(2);
const stopping = new AbortController();
onStopSignal(() => stopping.abort(), say);

try {
  say('Starting the engines ...');
  const ended = Promise.withResolvers<string>();
  const dataDir = process.env.DATA_DIR || '.data';
  const { signal } = stopping;
  const onCrash = ended.resolve;
  const engines = await startEngines({ dataDir, env: process.env, signal, say, onCrash, restartOnCrash: true });
  if (command === undefined) {
    for (const [name, value] of Object.entries(engines.env)) console.log(`export ${name}='${value}'`);
    say('Ctrl-C stops them.');
    signal.addEventListener('abort', () => ended.resolve('Stopping the engines ...'));
    say(await ended.promise);
  } else {
    const child = spawn(command, args, { env: { ...process.env, ...engines.env }, stdio: 'inherit' });
    const exit = once(child, 'exit').then(([code]) => {
      process.exitCode = code ?? 1;
    });
    signal.addEventListener('abort', () => child.kill());
    await Promise.race([exit, ended.promise.then(say)]);
    child.kill();
    await exit;
  }
  await engines.stop();
  if (command === undefined && !signal.aborted) process.exitCode = 1;
} catch (error) {
  if (!stopping.signal.aborted) {
    if (!(error instanceof Problem)) throw error;
    say(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
process.exit();
