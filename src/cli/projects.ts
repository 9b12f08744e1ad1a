import type { Command } from 'commander';
import { organizationNumber } from '#accounts/organization-store.ts';
import { createProject, setProjectCap } from '#accounts/project-store.ts';
import { run } from './connect.ts';
import { printOne, printRows } from './output.ts';
import { parseName, parseUnits } from './values.ts';

/** Adds the `project` commands, which manage key groups with a monthly unit cap. */
export function addCommands(project: Command): void {
  project.addHelpText(
    'after',
    `
Examples:
  npm run cli -- project create "Acme" website --cap 20000
  npm run cli -- project list "Acme"
  npm run cli -- project cap "Acme" prj_0f3a... none`,
  );

  project
    .command('create <org> <name>')
    .description('Create a project')
    .option('--cap <units>', 'monthly units of its keys')
    .action((org: string, name: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        const cap = flags.cap === undefined ? null : parseUnits(String(flags.cap));
        const wanted = { name: parseName(name), monthly_unit_cap: cap };
        const made = await connection.change((db) =>
          createProject(db, connection.dependencies.random, id, wanted, connection.actor),
        );
        printOne({ id: made, ...wanted }, flags);
      }),
    );

  project
    .command('list <org>')
    .description('List the projects of an organization')
    .action((org: string, _: unknown, command: Command) =>
      run(command, async ({ pool }, flags) => {
        const { rows } = await pool.query(
          'select p.public_id as id, name, monthly_unit_cap, created_at from projects p where organization_id = $1 order by p.id',
          [await organizationNumber(pool, org)],
        );
        printRows(rows, flags);
      }),
    );

  project
    .command('cap <org> <project-id> <units>')
    .description('Set the monthly unit cap (`none` lifts it)')
    .action((org: string, projectId: string, units: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        const cap = units === 'none' ? null : parseUnits(units);
        await connection.change((db) =>
          setProjectCap(db, connection.dependencies.random, id, projectId, cap, connection.actor),
        );
        printOne({ id: projectId, monthly_unit_cap: cap }, flags);
      }),
    );
}
