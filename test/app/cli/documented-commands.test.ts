import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
/** A command in a document, up to the end of its code or line. */
const COMMAND = /npm run (cli|ingest|reindex|relevance|sample)(?: -- ([^`\n|#]+))?(?=[`\n|#])/g;
/** Options of every command. */
const GLOBAL = ['--help', '--json'];

async function loadGroup(name: string): Promise<Command> {
  const file = name === 'webhooks' ? 'webhook' : name;
  const { addCommands } = (await import(`#app/cli/commands/${file}.ts`)) as {
    addCommands(group: Command): void;
  };
  const group = new Command(name);
  addCommands(group);
  return group;
}

test('every command and option named in the documents exists', async (t) => {
  const names = [...(await readdir(join(PROJECT, 'docs'))), 'how-to/source.md'].filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(names.map((name) => readFile(join(PROJECT, 'docs', name), 'utf8')));
  const lines = [...texts.join('\n').matchAll(COMMAND)];
  t.true(lines.length >= 60, `${lines.length} commands`);
  for (const [line, script = '', rest = ''] of lines) {
    const words = rest.trim().split(/\s+/).filter(Boolean);
    const name = script === 'cli' ? words.shift() : script;
    if (name === undefined || name.startsWith('--')) continue;
    const group = await loadGroup(name);
    const command = group.commands.find((each) => each.name() === words[0]) ?? group;
    const isArgument = words[0] === undefined || words[0].startsWith('--') || command.registeredArguments.length > 0;
    t.true(command !== group || isArgument, line);
    const known = [...command.options, ...group.options].flatMap(({ long }) => long ?? []);
    for (const option of words.filter((word) => word.startsWith('--')))
      t.true([...known, ...GLOBAL].includes(option), line);
  }
});
