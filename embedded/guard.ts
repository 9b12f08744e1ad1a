import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A shell that ends the engines by process id if its input ends without `done`. In a separate process group, so that
 * Ctrl-C does not stop it.
 */
const SCRIPT = `
trap '' INT TERM HUP
list=''
while read -r line; do
  case "$line" in
    done) exit 0 ;;
    -*)
      rest=''
      for one in $list; do [ "\${one##*:}" = "\${line#-}" ] || rest="$rest $one"; done
      list="$rest" ;;
    *) list="$list $line" ;;
  esac
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

export type Guard = ReturnType<typeof startGuard>;

export function startGuard() {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const gone = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    shell.once('error', () => resolve());
  });
  shell.stdin.on('error', () => {});
  // The shell does not keep this process running.
  shell.unref();
  (shell.stdin as Socket).unref();
  return {
    watch: (pid: number, signal: NodeJS.Signals) => shell.stdin.write(`${signal.slice(3)}:${pid}\n`),
    /** The id of an ended process may be reused. */
    forget: (pid: number) => shell.stdin.write(`-${pid}\n`),
    /** Ends the guard after the engines were stopped. */
    dismiss: async () => {
      shell.ref();
      shell.stdin.end('done\n');
      await gone;
    },
  };
}
