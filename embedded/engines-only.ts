// `npm run engines`: the engines alone, for development.

import { startEngines } from './engines.ts';
import { Problem } from './problem.ts';
import { onStopSignal } from './signals.ts';

const say = (line: string) => console.error(line);
const stopping = new AbortController();
onStopSignal(() => stopping.abort(), say);

try {
  say('Starting the engines ...');
  const ended = Promise.withResolvers<string>();
  const dataDir = process.env.DATA_DIR || '.data';
  const { signal } = stopping;
  const onDeath = ended.resolve;
  const engines = await startEngines({ dataDir, env: process.env, signal, say, onDeath, startAgain: true });
  for (const [name, value] of Object.entries(engines.env)) console.log(`export ${name}='${value}'`);
  say('Ctrl-C stops them.');
  signal.addEventListener('abort', () => ended.resolve('Stopping the engines ...'));
  say(await ended.promise);
  await engines.stop();
  if (!signal.aborted) process.exitCode = 1;
} catch (error) {
  if (!stopping.signal.aborted) {
    if (!(error instanceof Problem)) throw error;
    say(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
process.exit();
