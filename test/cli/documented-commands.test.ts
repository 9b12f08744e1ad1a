import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { test } from '#test/test.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

/** Modules of the command groups that the page names. */
const GROUPS: Readonly<Record<string, () => Promise<{ addCommands(group: Command): void }>>> = {
  key: () => import('#cli/commands/key.ts'),
  photos: () => import('#cli/commands/photos.ts'),
  restored: () => import('#cli/commands/restored.ts'),
  webhook: () => import('#cli/commands/webhook.ts'),
};

test('every command and option named in docs/backup.md exists', async (t) => {
  const page = await readFile(join(DOCS, 'backup.md'), 'utf8');
  const lines = [...page.matchAll(/npm run cli -- ([^`\n]+)/g)].map(([, line]) => (line as string).split(/\s+/));
  t.true(lines.length >= 9);
  for (const [name, sub, ...rest] of lines) {
    const group = new Command(name);
    const load = GROUPS[name as string];
    if (!load) return t.fail(`the group ${name} is unknown`);
    (await load()).addCommands(group);
    const command = sub === undefined ? group : group.commands.find((each) => each.name() === sub);
    t.truthy(command, `${name} ${sub}`);
    for (const option of rest.filter((word) => word.startsWith('--')))
      t.true(
        command?.options.some(({ long }) => long === option),
        `${name} ${sub} ${option}`,
      );
  }
});
