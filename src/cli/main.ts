import { Command } from 'commander';
import { addExportCommands } from './exports.ts';
import { addKeyCommands } from './keys.ts';
import { addMemberCommands } from './members.ts';
import { addOrganizationCommands } from './organizations.ts';
import { addProjectCommands } from './projects.ts';

const program = new Command('npm run cli --')
  .description(
    'Accounts: organizations, members, projects and keys. Every change is audited and in force with the next call.',
  )
  .option('--json', 'print JSON, for scripts')
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
  npm run cli -- --json org list`,
  );

addOrganizationCommands(program);
addMemberCommands(program);
addProjectCommands(program);
addKeyCommands(program);
addExportCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (program.opts<{ json?: boolean }>().json) console.log(JSON.stringify({ error: message }));
  else console.error(message);
  process.exitCode = 1;
}
