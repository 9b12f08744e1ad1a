// Runs commands of the command line for `cli.ts`, one at a time.
import { parentPort } from 'node:worker_threads';
import type { Command, Ran } from './cli.ts';

const MAIN = new URL('../../app/cli/cli.ts', import.meta.url).href;
let runs = 0;

parentPort?.on('message', async ({ args, env }: Command) => {
  const ran: Ran = { code: 0, out: '', err: '' };
  let exited: Ran | undefined;
  const capture = (name: 'out' | 'err') => (text: string | Uint8Array) => {
    ran[name] += text;
    return true;
  };
  process.stdout.write = capture('out');
  process.stderr.write = capture('err');
  process.exitCode = undefined;
  process.exit = (code) => {
    exited = { ...ran, code: Number(code ?? 0) };
    throw new Error('the command has exited');
  };
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  // The query evaluates the file again. The modules that it imports remain loaded.
  await import(`${MAIN}?run=${++runs}`);
  parentPort?.postMessage(exited ?? { ...ran, code: Number(process.exitCode ?? 0) });
});
