import { spawnSync } from 'node:child_process';
import { testWhere } from '#test/present.ts';
import { checkReceiver, GO, PYTHON, sentCases } from './receiver-code.ts';

const isInstalled = (tool: string, option: string): boolean =>
  spawnSync(tool, [option], { timeout: 30_000 }).status === 0;

for (const [name, language, present] of [
  ['Python', PYTHON, isInstalled('python3', '--version')],
  ['Go', GO, isInstalled('go', 'version')],
] as const)
  testWhere(present)(`the ${name} receiver code in the guide distinguishes valid from invalid signatures`, async (t) =>
    checkReceiver(t, language, await sentCases(`webhooks_guide_${language.fence}`)),
  );
