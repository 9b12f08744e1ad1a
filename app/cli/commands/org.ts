import { type Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import {
  changeOrganization,
  createOrganization,
  getOrganization,
  type OrganizationChanges,
} from '#src/accounts/organization-store.ts';
import { networkRange } from '#src/http/client-address.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Flags, limit } from '../command.ts';
import { accountCommands, organizationCommands } from '../connect.ts';
import { parseAmount, parseChoice, parseMoment, parseName, wholeNumber } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- org create "Acme" --plan growth
  npm run cli -- org list
  npm run cli -- org show "Acme"
  npm run cli -- org plan "Acme" pro
  npm run cli -- org suspend "Acme"
  npm run cli -- org resume "Acme"
  npm run cli -- org term "Acme" 2027-01-01T00:00:00Z
  npm run cli -- org spend-cap "Acme" 500
  npm run cli -- org retention "Acme" 30
  npm run cli -- org log-details "Acme" off
  npm run cli -- org limits "Acme" --units-per-minute 600 --page-size none
  npm run cli -- org ip-allow "Acme" 203.0.113.0/24,2001:db8::/32`;

export function addCommands(org: Command): void {
  const add = accountCommands(org);

  add('create <name>', 'Create an organization', async ({ pool, change }, flags, name) => {
    const plan = await requirePlan(pool, String(flags.plan));
    const wanted = { name: parseName(name), plan };
    const number = await change((audited) => createOrganization(audited, wanted));
    return number && read(pool, number);
  }).option('--plan <plan>', 'free, starter, growth, pro or enterprise', 'free');

  add('list', 'List all organizations, newest first', async ({ pool }, flags) => {
    const { rows } = await pool.query(
      `select o.public_id as id, o.name, o.plan, o.suspended_at, o.term_ends_at,
              (select count(*)::int from api_keys k where k.organization_id = o.id and k.revoked_at is null) as keys,
              o.created_at
         from organizations o order by o.id desc limit $1`,
      [flags.limit],
    );
    return rows;
  }).option(...limit(50));

  const addTo = organizationCommands(org);
  addTo('show <org>', 'Show one organization by id or name', ({ pool, number }) => read(pool, number));

  const setting = (
    usage: string,
    description: string,
    changesOf: (value: string, pool: pg.Pool, flags: Flags) => Promise<OrganizationChanges> | OrganizationChanges,
  ): Command =>
    addTo(usage, description, async ({ pool, number, change }, flags, value) => {
      const changes = await changesOf(value, pool, flags);
      await change((audited) => changeOrganization(audited, number, changes));
      return read(pool, number);
    });

  setting('plan <org> <plan>', 'Move to another plan', async (plan, pool) => ({
    plan: await requirePlan(pool, plan),
  }));
  setting('suspend <org>', 'Refuse every call from now on', () => ({ suspended_at: 'now' }));
  setting('resume <org>', 'Lift a suspension, or reopen a closed account', () => ({
    suspended_at: null,
    closed_at: null,
  }));
  setting('term <org> <date>', 'End the term at a moment (`none` lifts it)', (value) => ({
    term_ends_at: parseMoment(value),
  }));
  setting('spend-cap <org> <sar>', 'Set the monthly spend cap on extra units; 0 makes the quota hard', (value) => ({
    spend_cap_sar: parseAmount(value),
  }));
  setting('retention <org> <days>', 'Keep request logs 7, 30 or 90 days', (value) => ({
    log_retention_days: Number(parseChoice(value, ['7', '30', '90'], 'a retention', 'Days')) as 7 | 30 | 90,
  }));
  setting('log-details <org> <on|off>', 'Record message and parameter of failed calls, or not', (value) => ({
    log_request_details: parseChoice(value, ['on', 'off'], 'a switch', 'Accepted') === 'on',
  }));
  setting('ip-allow <org> <ranges>', 'Set the IP allowlist: CIDR ranges with commas (`none` lifts it)', (value) => ({
    ip_allowlist: value === 'none' ? [] : value.split(',').map(parseAllowed),
  }));
  const limits = setting(
    'limits <org>',
    "Set custom limits, as for Enterprise; `none` resets to the plan's",
    (_value, _pool, flags) => {
      const given = LIMITS.flatMap((name) => {
        const text = flags[name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
        return text === undefined ? [] : [[name, text === 'none' ? null : wholeNumber(String(text))]];
      });
      if (given.length === 0)
        throw new InvalidArgumentError('Give at least one limit, such as --units-per-minute 600.');
      return Object.fromEntries(given) as OrganizationChanges;
    },
  );
  for (const name of LIMITS) limits.option(`--${name.replaceAll('_', '-')} <n>`);
}

const LIMITS = [
  'units_per_minute',
  'units_per_month',
  'page_size',
  'paging_depth',
  'active_keys',
  'projects',
] as const satisfies readonly (keyof OrganizationChanges)[];

async function read(pool: pg.Pool, id: number) {
  const { created_at, term_ends_at, ...rest } = await getOrganization(pool, id, new Date());
  return { ...rest, created_at, term_ends_at };
}

async function requirePlan(pool: pg.Pool, name: string): Promise<string> {
  const rows = await sql.queryRows(pool, { name: sql.text }, 'select name from plans order by rank');
  const names = rows.map((plan) => plan.name);
  if (names.includes(name)) return name;
  throw new InvalidArgumentError(`There is no plan "${name}". Plans: ${names.join(', ')}.`);
}

/** @throws InvalidArgumentError if the text is neither an address nor a CIDR range */
function parseAllowed(text: string): string {
  const range = networkRange(text);
  if (range !== null) return range;
  throw new InvalidArgumentError(`"${text.trim()}" is not an address or a CIDR range, such as 203.0.113.0/24.`);
}
