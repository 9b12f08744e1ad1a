import type { Command } from 'commander';
import { organizationNumber } from '#accounts/organization-store.ts';
import { changeProject, createProject, listProjects } from '#accounts/project-store.ts';
import { accountCommands } from '../connect.ts';
import { printOne, printRows } from '../output.ts';
import { parseName, wholeNumber } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- project create "Acme" website --cap 20000
  npm run cli -- project list "Acme"
  npm run cli -- project rename "Acme" prj_0f3a... Portal
  npm run cli -- project cap "Acme" prj_0f3a... none`;

export function addCommands(project: Command): void {
  const add = accountCommands(project);

  add('create <org> <name>', 'Create a project', async ({ pool, change }, flags, org, name) => {
    const number = await organizationNumber(pool, org);
    const cap = flags.cap === undefined ? null : wholeNumber(String(flags.cap));
    const wanted = { name: parseName(name), monthly_unit_cap: cap };
    const id = await change((audited) => createProject(audited, number, wanted));
    printOne({ id, ...wanted }, flags);
  }).option('--cap <units>', 'monthly units of its keys');

  add('list <org>', 'List the projects of an organization with their usage', async ({ pool }, flags, org) => {
    const rows = await listProjects(pool, await organizationNumber(pool, org), new Date(), 1_000, null);
    printRows(
      rows.map(({ number: _number, ...row }) => row),
      flags,
    );
  });

  add('rename <org> <project-id> <name>', 'Rename a project', async ({ pool, change }, flags, org, id, text) => {
    const number = await organizationNumber(pool, org);
    const name = parseName(text);
    await change((audited) => changeProject(audited, number, id, { name }));
    printOne({ id, name }, flags);
  });

  add(
    'cap <org> <project-id> <units>',
    'Set the monthly unit cap (`none` lifts it)',
    async ({ pool, change }, flags, org, id, units) => {
      const number = await organizationNumber(pool, org);
      const cap = units === 'none' ? null : wholeNumber(units);
      await change((audited) => changeProject(audited, number, id, { monthly_unit_cap: cap }));
      printOne({ id, monthly_unit_cap: cap }, flags);
    },
  );
}
