import { Command } from 'commander';

interface Group {
  name: string;
  alias?: string;
  description: string;
  /** Imports the commands on demand, so that `--help` loads neither the ingest pipeline nor datastore clients. */
  load(): Promise<{ addCommands(group: Command): void }>;
}

const GROUPS: readonly Group[] = [
  {
    name: 'org',
    description: 'Organizations: plan, limits, spend cap, IP list, retention',
    load: () => import('./organizations.ts'),
  },
  { name: 'member', description: 'Members and their roles', load: () => import('./members.ts') },
  { name: 'project', description: 'Projects and their monthly unit caps', load: () => import('./projects.ts') },
  { name: 'key', description: 'Keys: create, list, rotate, revoke', load: () => import('./keys.ts') },
  {
    name: 'property-index',
    description: 'Releases of the property index: draft, check and publish them; published releases never change',
    load: () => import('./property-index.ts'),
  },
  { name: 'ingest', description: 'Read the feeds now; held feeds, rejected rows', load: () => import('./ingest.ts') },
  {
    name: 'photos',
    description: 'Photos on the CDN: check that they are stored, fetch lost ones again',
    load: () => import('./photos.ts'),
  },
  {
    name: 'official',
    description: 'Official open data: import files, held quarters, unmatched districts',
    load: () => import('./official.ts'),
  },
  { name: 'export', description: 'Exports: list, show, cancel, retry', load: () => import('./exports.ts') },
  {
    name: 'webhook',
    alias: 'webhooks',
    description: 'Webhooks: receive or forward on this machine, list, enable, disable, rotate secrets, replay',
    load: () => import('./webhooks.ts'),
  },
  { name: 'mcp', description: 'Serve an assistant on this machine, over stdio', load: () => import('./mcp.ts') },
  {
    name: 'changelog',
    description: 'Announcements to API users, and mails to owners about deprecations',
    load: () => import('./changelog.ts'),
  },
  {
    name: 'openapi',
    description: 'Compare the API with the last release to find breaking changes, and release it',
    load: () => import('./openapi.ts'),
  },
  {
    name: 'indexes',
    description: 'Serving indexes, and whether they match Postgres',
    load: () => import('./indexes.ts'),
  },
  { name: 'reindex', description: 'Move the listings to a new index, or back', load: () => import('./reindex.ts') },
  {
    name: 'backup',
    description: 'Back up and restore the embedded Postgres and S3; verify backups',
    load: () => import('./backup.ts'),
  },
  {
    name: 'restored',
    description: 'State that Postgres was restored from a backup, so that new ids and events differ from earlier ones',
    load: () => import('./restored.ts'),
  },
  {
    name: 'analyze',
    description: 'Explain the tokens and synonyms of a text or query',
    load: () => import('./analyze.ts'),
  },
  {
    name: 'parse',
    description: 'Read a search sentence into the filters of GET /listings',
    load: () => import('./parse.ts'),
  },
  {
    name: 'relevance',
    description: 'Evaluate text search by pairs or by real ads',
    load: () => import('./relevance.ts'),
  },
  { name: 'sample', description: 'Write sample feeds of any size', load: () => import('./sample.ts') },
];

const program = new Command('npm run cli --')
  .description('Operates an installation. Changes to accounts are audited and apply to the next request.')
  .option('--json', 'print JSON, for scripts')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError()
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
  npm run cli -- backup create --to /mnt/backups --secrets /mnt/safe/listings.json
  npm run cli -- property-index build 2026-11

\`npm run ingest\`, \`npm run reindex\`, \`npm run relevance\` and \`npm run sample\` are short for the groups of these names.
\`npm run cli -- <group> --help\` shows the commands of a group.`,
  );

for (const { name, alias, description, load } of GROUPS) {
  const group = program.command(name).description(description);
  if (alias !== undefined) group.alias(alias);
  if ([name, alias].some((each) => each !== undefined && process.argv.includes(each)))
    (await load()).addCommands(group);
}

try {
  await program.parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const { printable, printJson } = await import('./output.ts');
  if (program.opts<{ json?: boolean }>().json) printJson({ error: message });
  else console.error(printable(message));
  process.exitCode = 1;
}
