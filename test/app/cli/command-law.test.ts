import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, Command, type Option } from 'commander';
import { examplesOf } from '#app/cli/command.ts';
import { sharedApp } from '#test/app.ts';
import { cli } from '#test/cli.ts';
import { test } from '#test/test.ts';

const FOLDER = join(import.meta.dirname, '../../../app/cli/commands');

test.before(async () => {
  await sharedApp();
});

interface Listed {
  words: string[];
  command: Command;
  group: Command;
  help: string;
}

/** Every command: the subcommands of each group, and the groups that do something themselves. */
async function listCommands(): Promise<Listed[]> {
  const listed = await Promise.all(
    readdirSync(FOLDER).map(async (file) => {
      const name = file.replace('.ts', '');
      const { addCommands, HELP } = (await import(join(FOLDER, file))) as typeof import('#app/cli/commands/org.ts');
      const group = new Command(name);
      addCommands(group);
      const commands = group.commands.map((command) => ({
        words: [name, command.name()],
        command,
        group,
        help: HELP,
      }));
      // biome-ignore lint/complexity/useLiteralKeys: the action is private to Commander
      const acts = (group as unknown as Record<string, unknown>)['_actionHandler'] !== null;
      return acts ? [...commands, { words: [name], command: group, group, help: HELP }] : commands;
    }),
  );
  return listed.flat();
}

/** Values that any argument or required option accepts as text, so that only the tested fault is left. */
const valid = (command: Command, given: (argument: Argument) => string = () => '1'): string[] => [
  ...command.registeredArguments.filter(({ required }) => required).map(given),
  ...command.options.flatMap((option) => (option.mandatory ? [option.long ?? '', '1'] : [])),
];

async function invalid(args: readonly string[]): Promise<string> {
  const ran = await cli(['--json', ...args]);
  if (ran.code !== 2) return `exit code ${ran.code}: ${ran.out}${ran.err}`;
  return (JSON.parse(ran.out) as { error: string }).error;
}

test('the help of every command exits with 0 and has an example', async (t) => {
  const commands = await listCommands();
  t.true(commands.length > 50, `${commands.length} commands`);
  for (const { words, command, group, help } of commands) {
    const line = words.join(' ');
    if (words.length > 1) t.true(examplesOf(command, group, help).length > 0, `${line}: add an example to HELP`);
    const shown = await cli([...words, '--help']);
    t.is(shown.code, 0, line);
    t.regex(shown.out, /npm run /, line);
  }
});

test('an unknown option, a missing and an excess argument exit with 2 and are named', async (t) => {
  for (const { words, command } of await listCommands()) {
    const line = words.join(' ');
    t.regex(await invalid([...words, ...valid(command), '--no-such-option']), /--no-such-option/, line);
    const required = command.registeredArguments.filter(({ required: isRequired }) => isRequired);
    const last = required.at(-1);
    if (last) t.regex(await invalid([...words, ...valid(command).slice(1)]), new RegExp(last.name()), line);
    const options = valid(command).slice(required.length);
    const most = command.registeredArguments.map(() => '1');
    t.regex(await invalid([...words, ...most, '1', ...options]), /too many arguments|unknown command/, line);
  }
});

/** Options whose values are checked when the command line is read. */
const isChecked = ({ parseArg, required }: Option): boolean => parseArg !== undefined && required;
/** Accept any text: names, which the datastores know. */
const TEXTS = ['--sources', '--release', '--index'];

test('an invalid value of an option exits with 2 and names the option', async (t) => {
  let count = 0;
  for (const { words, command } of await listCommands())
    for (const option of command.options.filter(isChecked)) {
      if (TEXTS.includes(option.long ?? '')) continue;
      count++;
      const message = await invalid([...words, ...valid(command), option.long ?? '', 'no such value']);
      t.regex(message, new RegExp(`${option.long}`), `${words.join(' ')} ${option.long}`);
    }
  t.true(count >= 12, `${count} options`);
});

/** Commands without required arguments that change something, take minutes, or serve until they are stopped. */
const NOT_RUN = [
  'ingest',
  'mcp',
  'migrate',
  'official rebuild',
  'photos verify',
  'property-index build',
  'property-index publish',
  'reindex',
  'reindex rollback',
  'relevance',
  'relevance diff',
  'restored',
  'webhook listen',
];

test('the output of commands that report is JSON with --json', async (t) => {
  const commands = await listCommands();
  for (const name of NOT_RUN)
    t.true(
      commands.some(({ words }) => words.join(' ') === name),
      `${name} does not exist`,
    );
  const reports = commands.filter(
    ({ words, command }) => valid(command).length === 0 && !NOT_RUN.includes(words.join(' ')),
  );
  t.true(reports.length >= 12, `${reports.length} commands`);
  for (const { words } of reports) {
    const ran = await cli(['--json', ...words]);
    t.notThrows(() => JSON.parse(ran.out), `${words.join(' ')}: exit code ${ran.code}: ${ran.out}${ran.err}`);
    t.not(ran.code, 2, words.join(' '));
  }
});

test('a command names a file that it cannot read', async (t) => {
  const path = '/nowhere/feed.xml';
  for (const args of [
    ['ingest', '--dry-run', path],
    ['official', 'import', path],
    ['relevance', '--ads', path],
  ]) {
    const ran = await cli(['--json', ...args]);
    t.is(ran.code, 1, args.join(' '));
    t.regex((JSON.parse(ran.out) as { error: string }).error, /\/nowhere\/feed\.xml/, args.join(' '));
  }
});
