import { type Command, InvalidArgumentError } from 'commander';
import { findMember, isEmail, MEMBERS, readAddress, removeMember, setMember } from '#src/accounts/member-store.ts';
import { ROLES } from '#src/accounts/roles.ts';
import { createOperatorLink } from '#src/sign-in/links.ts';
import { endSessionsOf } from '#src/sign-in/sessions.ts';
import { listRecords } from '#stores/postgres/records.ts';
import { organizationCommands } from '../connect.ts';
import { parseChoice, parseName } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- member set "Acme" huda@example.com --name Huda --role owner
  npm run cli -- member link "Acme" huda@example.com
  npm run cli -- member sign-out "Acme" huda@example.com
  npm run cli -- member list "Acme"
  npm run cli -- member remove "Acme" huda@example.com`;

export function addCommands(member: Command): void {
  const add = organizationCommands(member);

  add('set <org> <email>', 'Add a member, or change the name or role', async ({ number, change }, flags, email) => {
    const role = parseChoice(String(flags.role), ROLES, 'a role', 'Roles');
    if (!isEmail(email)) throw new InvalidArgumentError(`"${email}" is not an e-mail address.`);
    const wanted = { email: readAddress(email), name: parseName(String(flags.name)), role };
    const id = await change((audited) => setMember(audited, number, wanted));
    return { id, ...wanted };
  })
    .requiredOption('--name <name>', 'their name')
    .option('--role <role>', ROLES.join(', '), 'developer');

  add(
    'link <org> <email>',
    'Create a link that signs a member in once, within 24 hours and in any browser',
    async ({ pool, number, pepper, random, siteUrl }, _flags, email) => {
      const member = await findMember(pool, number, readAddress(email));
      if (!member) throw new Error(`No member has the address "${email}".`);
      const link = await createOperatorLink(pool, { random, pepper, now: new Date() }, siteUrl, member.email);
      return { email: member.email, link };
    },
  );

  add('sign-out <org> <email>', 'End all sessions of a member', async ({ pool, number }, _flags, email) => {
    const member = await findMember(pool, number, readAddress(email));
    if (!member) throw new Error(`No member has the address "${email}".`);
    const { rowCount } = await endSessionsOf(pool, member.number);
    return { email: member.email, ended: rowCount };
  });

  add('list <org>', 'List the members of an organization', async ({ pool, number }) => {
    const rows = await listRecords(pool, MEMBERS, number, 1_000);
    return rows.map(({ number: _number, ...row }) => row).toReversed();
  });

  add('remove <org> <email>', 'Remove a member', async ({ number, change }, _flags, email) => {
    const removed = readAddress(email);
    await change((audited) => removeMember(audited, number, removed));
    return { removed };
  });
}
