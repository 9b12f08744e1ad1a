import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A few lines of shell that outlive us: when the pipe from us closes without a word, because we were killed, they
 * end the engines by their numbers. In its own process group, so that Ctrl-C does not reach it.
 */
const SCRIPT = `
trap '' INT TERM HUP
list=''
while read -r line; do
  if [ "$line" = done ]; then exit 0; fi
  list="$list $line"
done
for one in $list; do kill -s "\${one%%:*}" "\${one##*:}"; done
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  alive=''
  for one in $list; do kill -0 "\${one##*:}" && alive=1; done
  [ -z "$alive" ] && exit 0
  sleep 1
done
for one in $list; do kill -s KILL "\${one##*:}"; done
`;

export interface Guard {
  /** From now on this process is ended, by this signal, when we are gone. */
  watch(pid: number, signal: NodeJS.Signals): void;
  /** Everything was stopped in order. */
  dismiss(): Promise<void>;
}

export function startGuard(): Guard {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const gone = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    shell.once('error', () => resolve());
  });
  shell.stdin.on('error', () => {});
  // Neither it nor the pipe is a reason for us to go on living.
  shell.unref();
  (shell.stdin as Socket).unref();
  return {
    watch: (pid, signal) => shell.stdin.write(`${signal.slice(3)}:${pid}\n`),
    dismiss: async () => {
      shell.ref();
      shell.stdin.end('done\n');
      await gone;
    },
  };
}
