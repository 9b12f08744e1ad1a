import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'deploy', 'kubernetes');
const VALIDATOR = 'kubernetes-validate==1.37.0';
const LIMIT_MS = 300_000;
const run = promisify(execFile);

const isInstalled = (...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;

testWhere(isInstalled('python3', '-m', 'pip', '--version') && isInstalled('kubectl', 'kustomize', '--help'))(
  'the Kustomize base renders, and every resource matches the schema of Kubernetes',
  async (t) => {
    t.timeout(LIMIT_MS);
    const folder = await temporaryFolder(t);
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, VALIDATOR], { timeout: LIMIT_MS });
    const rendered = join(folder, 'rendered.yaml');
    await writeFile(rendered, (await run('kubectl', ['kustomize', FOLDER])).stdout);
    const env = { ...process.env, PYTHONPATH: folder };
    const { stdout, stderr } = await run('python3', ['-m', 'kubernetes_validate', '--strict', rendered], { env });
    t.is((stdout + stderr).match(/ passed for resource /g)?.length, 10, stdout + stderr);
  },
);
