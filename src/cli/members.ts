import type { Command } from 'commander';
import { removeMember, setMember } from '#accounts/member-store.ts';
import { organizationNumber } from '#accounts/organization-store.ts';
import { ROLES, type Role } from '#accounts/roles.ts';
import { run } from './connect.ts';
import { printOne, printRows } from './output.ts';
import { parseName } from './values.ts';

/** Adds the `member` commands, which manage the members of an organization. */
export function addCommands(member: Command): void {
  member.addHelpText(
    'after',
    `
Examples:
  npm run cli -- member set "Acme" huda@example.com --name Huda --role owner
  npm run cli -- member list "Acme"
  npm run cli -- member remove "Acme" huda@example.com`,
  );

  member
    .command('set <org> <email>')
    .description('Add a member, or change the name or role')
    .requiredOption('--name <name>', 'their name')
    .option('--role <role>', ROLES.join(', '), 'developer')
    .action((org: string, email: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const role = parseRole(String(flags.role));
        if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw new Error(`"${email}" is not an e-mail address.`);
        const id = await organizationNumber(connection.pool, org);
        const wanted = { email: email.toLowerCase(), name: parseName(String(flags.name)), role };
        const memberId = await connection.change((db) =>
          setMember(db, connection.dependencies.random, id, wanted, connection.actor),
        );
        printOne({ id: memberId, ...wanted }, flags);
      }),
    );

  member
    .command('list <org>')
    .description('List the members of an organization')
    .action((org: string, _: unknown, command: Command) =>
      run(command, async ({ pool }, flags) => {
        const { rows } = await pool.query(
          'select m.public_id as id, email, name, role, created_at from members m where organization_id = $1 order by m.id',
          [await organizationNumber(pool, org)],
        );
        printRows(rows, flags);
      }),
    );

  member
    .command('remove <org> <email>')
    .description('Remove a member')
    .action((org: string, email: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        await connection.change(async (db) =>
          connection.recordRemoval(
            'member',
            await removeMember(db, connection.dependencies.random, id, email.toLowerCase(), connection.actor),
          ),
        );
        printOne({ removed: email.toLowerCase() }, flags);
      }),
    );
}

function parseRole(text: string): Role {
  const role = ROLES.find((candidate) => candidate === text);
  if (role) return role;
  throw new Error(`"${text}" is not a role. Roles: ${ROLES.join(', ')}.`);
}
