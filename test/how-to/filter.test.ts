import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

interface Step {
  /** The file that the text before the block names last, after `In` or `Create`. */
  file: string;
  language: string;
  code: string;
}

/** Reads the blocks of a how-to page in order. */
function stepsOf(page: string): Step[] {
  let file = '';
  return [...page.matchAll(/(?:\bin|^Create) `([\w./-]+)`|^```(\w+)\n([\s\S]*?)^```$/gim)].flatMap(
    ([, named, language, code = '']) => {
      file = named ?? file;
      return language === undefined ? [] : { file, language, code };
    },
  );
}

/** Applies a diff without line numbers to a text. @throws unless the lines of its context occur exactly once */
function applyDiff(text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1);
  const linesOf = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
  const [before, after] = [linesOf('+').join(''), linesOf('-').join('')];
  if (text.split(before).length !== 2) throw new Error(`these lines must occur once:\n${before}`);
  return text.replace(before, () => after);
}

/** Copies the files of the repository to a new folder, with the installed packages. */
async function copyProject(to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await cp(join(PROJECT, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      // A deleted file that is still in the Git index.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(PROJECT, 'node_modules'), join(to, 'node_modules'));
}

/** Pages whose steps are complete, with their numbers of blocks of commands. */
const PAGES = { filter: 4, endpoint: 5 };

for (const [page, blocks] of Object.entries(PAGES))
  test(`following docs/how-to/${page}.md step by step on a copy gives code whose types and tests pass`, async (t) => {
    t.timeout(900_000);
    const dir = await temporaryFolder(t);
    await copyProject(dir);
    const steps = stepsOf(await readFile(join(PROJECT, `docs/how-to/${page}.md`), 'utf8'));
    const commands = steps.filter(({ language }) => language === 'sh');
    t.is(commands.length, blocks);
    for (const { file, language, code } of steps) {
      const path = join(dir, file);
      const today = new Date().toISOString().slice(0, 10);
      const dated = code.replace(/(?<=^\+ {2}date: )\S+$/m, today);
      if (language === 'diff') await writeFile(path, applyDiff(await readFile(path, 'utf8'), dated));
      else if (language === 'json' || language === 'ts') await writeFile(path, code);
      else {
        // Without the installers of `npm test`, whose packages are already there, and the linter, which is not.
        const command = code
          .replace(/(?: && )?npm run lint.*/g, '')
          .replace('npm run types', 'node_modules/.bin/tsc --noEmit && node_modules/.bin/tsc --noEmit -p site')
          .replace('npx tsc', 'node_modules/.bin/tsc')
          .replaceAll('npm test --', 'node test/run.ts');
        await run('bash', ['-euc', command], { cwd: dir, maxBuffer: 2 ** 26 }).catch((error) => {
          throw new Error(`${code}${error.stdout}${error.stderr}`);
        });
      }
    }
    t.pass();
  });
