import { spawn } from 'node:child_process';
import { say } from './say.mjs';

const KEPT = 20_000;

/**
 * Runs a command and returns the beginning and the end of its output. If it has a label, prints a line every 20 seconds
 * while it runs.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number, label?: string }} options
 * @returns {Promise<{ code: number | null, output: string, missing: boolean, timedOut: boolean }>}
 */
export function run(command, args, { cwd, env = process.env, timeoutMs, label }) {
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      if (output.length > 2 * KEPT) output = output.slice(0, KEPT) + output.slice(-KEPT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const begun = Date.now();
    const ticking = setInterval(() => {
      if (label) say(`  ${label}: ${Math.round((Date.now() - begun) / 1000)} s`);
    }, 20_000);
    const limit = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const end = (/** @type {number | null} */ code, missing = false) => {
      clearInterval(ticking);
      clearTimeout(limit);
      resolve({ code, output, missing, timedOut });
    };
    child.on('error', () => end(null, true));
    child.on('close', (code) => end(code));
  });
}

/**
 * Returns the first and the last lines of a command's output. npm prints the error before its usage, Maven after it.
 * @param {string} output
 * @param {number} [each] number of lines at either end
 */
export function excerpt(output, each = 10) {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length <= 2 * each ? lines : [...lines.slice(0, each), '...', ...lines.slice(-each)];
}
