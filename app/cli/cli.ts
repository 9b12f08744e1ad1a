import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { hasFolder } from '#app/start/repository.ts';
import { addHelp } from './command.ts';

/** Exit codes: a command that failed, and a command line that is invalid. */
const FAILED = 1;
const INVALID = 2;

/** Groups of commands, which `commands/<group>.ts` adds. */
const GROUPS: Readonly<Record<string, string>> = {
  org: 'Organizations: plan, limits, spend cap, IP list, retention',
  member: 'Members and their roles',
  project: 'Projects and their monthly unit caps',
  key: 'Keys: create, list, rotate, revoke',
  'property-index': 'Releases of the property index: draft, check and publish them; published releases never change',
  ingest: 'Read the feeds now; held feeds, rejected rows',
  photos: 'Photos on the CDN: check that they are stored, fetch lost ones again',
  official: 'Official open data: import files, held quarters, unmatched districts',
  export: 'Exports: list, show, cancel, retry',
  webhook: 'Webhooks: receive or forward on this machine, list, enable, disable, rotate secrets, replay',
  mcp: 'Serve an assistant on this machine, over stdio',
  changelog: 'Mails to owners about deprecations',
  indexes: 'Serving indexes, and whether they match Postgres',
  reindex: 'Move the listings to a new index, or back',
  migrate: 'Prepare the datastores for this release: migrate the database, and reindex listings of an earlier release',
  restored: 'State that Postgres was restored from a backup, so that new ids and events differ from earlier ones',
  analyze: 'Explain the tokens and synonyms of a text or query',
  queries: 'Search texts: most frequent, without results, corrected, not understood',
  relevance: 'Evaluate text search by pairs or by real ads',
  sample: 'Write sample feeds of any size',
};
/** Groups that need a folder which the image leaves out. */
const FOLDERS = { relevance: 'index-templates/relevance', sample: 'sample' } as const;
const ALIASES: Readonly<Record<string, string>> = { webhook: 'webhooks' };

const program = new Command('npm run cli --')
  .description('Operates an installation. Changes to accounts are audited and apply to the next request.')
  .option('--json', 'print JSON, for scripts')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('Add --help for the arguments and examples of the command.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  npm run cli -- org create "Acme" --plan growth
  npm run cli -- key create "Acme" backend --scopes listings,market
  npm run cli -- key create "Acme" console --kind admin
  npm run cli -- key rotate "Acme" key_0f3a... --grace 24h
  npm run cli -- org spend-cap "Acme" 500
  npm run cli -- org ip-allow "Acme" 203.0.113.0/24,2001:db8::/32
  npm run cli -- --json org list
  npm run cli -- ingest explain 4711
  npm run cli -- photos verify --repair
  npm run cli -- official import .data/official
  npm run cli -- reindex status
  npm run cli -- property-index build 2026-11

\`npm run ingest\` and \`npm run reindex\` are short for the groups of these names.
\`npm run cli -- <group> --help\` shows the commands of a group.

Exit codes: 0 done, 1 failed, 2 invalid arguments.`,
  );

for (const [name, description] of Object.entries(GROUPS)) {
  const folder = (FOLDERS as Partial<Record<string, (typeof FOLDERS)[keyof typeof FOLDERS]>>)[name];
  if (folder !== undefined && !hasFolder(folder)) continue;
  const group = program.command(name).description(description);
  const alias = ALIASES[name];
  if (alias !== undefined) group.alias(alias);
  if (![name, alias].some((each) => each !== undefined && process.argv.includes(each))) continue;
  // Imported on demand, so that `--help` loads no pipeline or clients.
  const { addCommands, HELP } = (await import(`./commands/${name}.ts`)) as typeof import('./commands/org.ts');
  addCommands(group);
  addHelp(group, HELP);
}

try {
  await program.parseAsync();
} catch (error) {
  await report(error);
}

async function report(error: unknown): Promise<void> {
  const isParsed = error instanceof CommanderError && !(error instanceof InvalidArgumentError);
  // After `--help`.
  if (isParsed && error.exitCode === 0) return;
  process.exitCode = error instanceof CommanderError ? INVALID : FAILED;
  const thrown = error instanceof Error ? error.message.replace(/^error: /, '') : String(error);
  // SQLSTATE of a missing table or column: the database is new, or of an earlier release.
  const isUnprepared = ['42P01', '42703'].includes((error as { code?: string } | null)?.code ?? '');
  const message = isUnprepared ? `${thrown}. Prepare the database for this release: npm run cli -- migrate` : thrown;
  const { printable, printJson } = await import('./output.ts');
  if (program.opts<{ json?: boolean }>().json) printJson({ error: message });
  // Commander has printed the errors that it detects.
  else if (!isParsed) console.error(printable(message));
}
