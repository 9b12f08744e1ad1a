import type { Command } from 'commander';
import { changeProject, createProject, projectsAt } from '#src/accounts/project-store.ts';
import { listRecords } from '#stores/postgres/records.ts';
import { organizationCommands } from '../connect.ts';
import { parseName, wholeNumber } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- project create "Acme" website --cap 20000
  npm run cli -- project list "Acme"
  npm run cli -- project rename "Acme" prj_0f3a... Portal
  npm run cli -- project cap "Acme" prj_0f3a... none`;

export function addCommands(project: Command): void {
  const add = organizationCommands(project);

  add('create <org> <name>', 'Create a project', async ({ number, change }, flags, name) => {
    const cap = flags.cap === undefined ? null : wholeNumber(String(flags.cap));
    const wanted = { name: parseName(name), monthly_unit_cap: cap };
    const id = await change((audited) => createProject(audited, number, wanted));
    return { id, ...wanted };
  }).option('--cap <units>', 'monthly units of its keys');

  add('list <org>', 'List the projects of an organization with their usage', async ({ pool, number }) => {
    const rows = await listRecords(pool, projectsAt(new Date()), number, 1_000);
    return rows.map(({ number: _number, ...row }) => row);
  });

  add('rename <org> <project-id> <name>', 'Rename a project', async ({ number, change }, _flags, id, text) => {
    const name = parseName(text);
    await change((audited) => changeProject(audited, number, id, { name }));
    return { id, name };
  });

  add(
    'cap <org> <project-id> <units>',
    'Set the monthly unit cap (`none` lifts it)',
    async ({ number, change }, _flags, id, units) => {
      const cap = units === 'none' ? null : wholeNumber(units);
      await change((audited) => changeProject(audited, number, id, { monthly_unit_cap: cap }));
      return { id, monthly_unit_cap: cap };
    },
  );
}
