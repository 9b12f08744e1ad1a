import { execFile as execFileWithCallback, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import type { TestApp } from '#test/app.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { decide, newPerson, openConsent, startOauthApp } from './assistant.ts';

const execFile = promisify(execFileWithCallback);
const INSTALL_MS = 300_000;
const LIMIT_MS = 60_000;
const REDIRECT = 'http://localhost:53971/callback';
const DOCUMENT = 'https://claude.ai/oauth/claude-code-client-metadata';
const program = (name: string) => join(import.meta.dirname, 'programs', name);

let app: TestApp;
test.before(async () => {
  app = await startOauthApp();
  await app.addCity();
});
test.after(() => app.close());

type Install = (folder: string) => Promise<[command: string, file: string]>;

const CLIENTS: Readonly<Record<string, Install>> = {
  '@modelcontextprotocol/sdk 1.32.2': async (folder) => {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await execFile('npm', ['install', ...options, '@modelcontextprotocol/sdk@1.32.2'], { timeout: INSTALL_MS });
    return [process.execPath, program('client.mjs')];
  },
  'Python mcp 2.3.0': async (folder) => {
    await execFile('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS });
    const pip = ['install', '--quiet', '--disable-pip-version-check', 'mcp==2.3.0'];
    await execFile(join(folder, 'bin', 'pip'), pip, { timeout: INSTALL_MS });
    return [join(folder, 'bin', 'python'), program('client.py')];
  },
};

/** Runs a client, and decides as the person whose browser it opens. @returns what it prints */
async function run(t: ExecutionContext, folder: string, [command, ...args]: [string, ...string[]]): Promise<string[]> {
  const { browser } = await newPerson(app);
  const child = spawn(command, args, { cwd: folder, timeout: LIMIT_MS });
  const errors = text(child.stderr);
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^OPEN (.*)/.exec(line)?.[1];
    if (address === undefined) printed.push(line);
    else child.stdin.write(`${await decide(browser, await openConsent(browser, address))}\n`);
  }
  t.true(printed.length > 0, await errors);
  return printed;
}

for (const [name, install] of Object.entries(CLIENTS))
  test(`${name} connects by registration and by its document, and refreshes`, async (t) => {
    const folder = await temporaryFolder(t);
    const installed = await install(folder).catch((error: Error) => error);
    // Without a registry of packages.
    if (installed instanceof Error)
      return t.pass(t.log(`SKIPPED: not installed: ${installed.message.slice(0, 300)}`) ?? '');
    for (const document of [[], [DOCUMENT]]) {
      const [command, file] = installed;
      const printed = await run(t, folder, [command, file, `${app.url}/mcp`, REDIRECT, ...document]);
      t.deepEqual(
        printed.map((line) => line.split(' ')[0]),
        ['CALLED', 'REFRESHED'],
        `${printed.join('\n')}`,
      );
    }
  });
