import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '#domain/process/problem.ts';

/**
 * OpenSearch and Postgres refuse to run as root, which starts them as `nobody`. `wrap` returns the command to spawn.
 */
export interface Identity {
  uid?: number;
  gid?: number;
  wrap(command: string, args: readonly string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

/**
 * @param needed paths that the engines must read
 * @throws Problem if another user cannot read them
 */
export function chooseIdentity(needed: readonly string[]): Identity {
  if (process.getuid?.() !== 0) return { wrap: (command, args) => ({ command, args: [...args] }) };
  const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
  const gid = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }));
  const closed = needed.find((path) => !isOpen(resolve(path)));
  if (closed === undefined) return { uid, gid, wrap: (command, args) => ({ command, args: [...args], uid, gid }) };

  // To enter a clone in root's home, `nobody` must keep the capability to override file permissions.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  if (!setpriv)
    throw new Problem(`The engines do not run as root, and other users may not read ${closed}.`, [
      'Run as an ordinary user, or move the clone to a folder that others may enter, or install setpriv (util-linux).',
    ]);
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights];
  return { uid, gid, wrap: (command, args) => ({ command: setpriv, args: [...who, '--', command, ...args] }) };
}

/** Returns whether other users can read a path and enter all folders above it. */
function isOpen(path: string): boolean {
  if ((statSync(path).mode & 0o004) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Does nothing if already owned.
 * @throws Problem if this process may not do so
 */
export async function chownTo(identity: Identity, path: string): Promise<void> {
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = identity;
  const found = await lstat(path);
  if (found.uid === uid) return;
  if (process.getuid?.() !== 0)
    throw new Problem(`${path} belongs to another user (uid ${found.uid}).`, [
      'Start as that user, set DATA_DIR to another folder, or remove this one.',
    ]);
  const inside = found.isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const name of inside) await lchown(join(path, name), uid, gid);
  await lchown(path, uid, gid);
}
