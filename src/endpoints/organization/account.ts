import { component, integer, nullable, number, object, oneOf, single, string, timestamp } from '#domain/json-schema.ts';
import { monthLabel, monthOf } from '#domain/months.ts';
import { MONTH_SCHEMA, parseMonth } from '#domain/official/quarters.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { revokeAllKeys } from '#src/accounts/change-key.ts';
import { KEY_KINDS } from '#src/accounts/keys.ts';
import { CLOSED_DAYS, changeOrganization, getOrganization } from '#src/accounts/organization-store.ts';
import { choosePlan } from '#src/accounts/plan-store.ts';
import { mailTime } from '#src/accounts/sending-limits.ts';
import { csvLines } from '#src/exports/encode.ts';
import { changeOf, dataResponse, defineEndpoint, type PostCall } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
import { queueMails } from '#src/mail/outbox.ts';
import {
  type LinePosition,
  readStatement,
  readStatementLines,
  STATEMENT_MONTHS,
  VAT_PCT,
} from '#src/metering/statements.ts';
import { disableAllEndpoints } from '#src/webhooks/operate.ts';
import { ADMINISTRATION, bodyRequiring, requireRecentSignIn } from './common.ts';

const PLAN_CHANGE = object({
  plan: string,
  status: oneOf(component('PlanChangeStatus', ['scheduled', 'requested', 'unchanged'])),
  from: nullable(timestamp),
});

const changePlanEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/plan',
  operationId: 'changePlan',
  ...ADMINISTRATION,
  permission: 'bill',
  summary: 'Change the plan',
  description:
    'Schedules a smaller plan for the start of the next month, or sends the operator of the service the request for a larger one. The name of the current plan cancels a scheduled change. If limits or a term were agreed with the organization, or the service takes no requests, returns 409 `conflict`.',
  bodySchema: bodyRequiring(['plan'], {
    plan: { type: 'string', minLength: 1, maxLength: 40, description: 'Name of the plan.' },
  }),
  response: single(PLAN_CHANGE),
  errors: ['invalid_value', 'conflict', 'rate_limited'],
  handle: async (call) => {
    const { body, caller, services } = call;
    const now = new Date(services.clock.now());
    const { status, from } = await choosePlan(changeOf(call), caller.organization_id, body.plan, now);
    if (status === 'requested') await mailRequest(call, body.plan, now);
    return dataResponse({ plan: body.plan, status, from: isoSeconds(from) });
  },
});

/** @throws ApiError conflict, rate_limited */
async function mailRequest({ db, caller, services }: PostCall, plan: string, now: Date): Promise<void> {
  const { contactUrl, mail, serviceName } = services.config;
  const recipient = /^mailto:(.+@(.+))$/.exec(contactUrl ?? '');
  if (!recipient?.[1] || !recipient[2] || mail === null)
    throw new ApiError('conflict', {
      param: 'plan',
      message:
        contactUrl === null
          ? 'Larger plans are set by the operator of this installation, which states no contact.'
          : `Larger plans are agreed with the operator of the service: ${contactUrl.replace('mailto:', '')}.`,
    });
  const { id, name, plan: current } = await getOrganization(db, caller.organization_id, now);
  const dueAt = await mailTime(db, { organizationId: caller.organization_id, host: recipient[2], now });
  if (dueAt === null) throw new ApiError('rate_limited', { retryAfterS: 3_600 });
  const request = {
    reason: `plan ${id} ${plan} ${now.toISOString().slice(0, 10)}`,
    recipient: recipient[1],
    subject: `${serviceName}: ${name} requests the plan ${plan}`,
    body: `${name} (${id}), now on the plan ${current}, requests the plan ${plan}.\n\nChange it with: npm run cli -- org plan ${id} ${plan}\n`,
  };
  await queueMails(db, [request], now, dueAt);
}

const closeEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/close',
  operationId: 'closeOrganization',
  ...ADMINISTRATION,
  permission: 'own',
  summary: 'Close the account',
  description: `Closes the account of the organization. All its keys, with the one of this call, and its webhooks stop immediately. Its data is deleted after ${CLOSED_DAYS} days; until then, the operator of the service can reopen the account.`,
  bodySchema: bodyRequiring(['name'], {
    name: { type: 'string', maxLength: 200, description: 'Name of the organization, to confirm.' },
  }),
  response: single(object({ id: string, closed_at: timestamp, deleted_after: timestamp })),
  errors: ['invalid_value'],
  authorize: async (call) => requireRecentSignIn(call),
  handle: async (call) => {
    const { db, body, caller, services } = call;
    const now = new Date(services.clock.now());
    const { id, name } = await getOrganization(db, caller.organization_id, now);
    if (body.name.trim() !== name)
      throw new ApiError('invalid_value', {
        param: 'name',
        message: '`name` must be the name of the organization, exactly as `GET /organization` returns it.',
      });
    const change = changeOf(call);
    await changeOrganization(change, caller.organization_id, { closed_at: 'now', suspended_at: 'now' });
    await revokeAllKeys(change, caller.organization_id);
    await disableAllEndpoints(change, caller.organization_id);
    const deletedAfter = new Date(now.getTime() + CLOSED_DAYS * 86_400_000);
    return dataResponse({ id, closed_at: isoSeconds(now), deleted_after: isoSeconds(deletedAfter) });
  },
});

/** A statement of more lines is read in pages. */
const MAX_CSV_LINES = 100_000;
const LINE = {
  day: { type: 'string', format: 'date' },
  key_id: nullable(string),
  key_name: nullable(string),
  kind: oneOf(KEY_KINDS),
  operation: string,
  requests: integer,
  units: integer,
} as const;
const COLUMNS = Object.keys(LINE) as (keyof typeof LINE)[];

const getStatementEndpoint = defineEndpoint({
  path: '/v1/organization/statements',
  operationId: 'getStatement',
  ...ADMINISTRATION,
  summary: 'Get the statement of a month',
  description: `Returns what a month costs: \`statement\` with the units of live keys as they were charged, the quota and price of the plan at the end of the month, and the amount for units over the quota with ${VAT_PCT}% VAT; and the charged calls by day, key and operation, whose units are those of \`GET /organization/usage\`. Units of test keys are listed and not billed. \`unrecorded_units\` were charged by calls without a line: those of the last seconds, exports in progress, and calls of a process that crashed. Available for the last ${STATEMENT_MONTHS} months including the current one. With \`format=csv\`, returns all lines as a file.`,
  parameters: [
    {
      name: 'month',
      schema: MONTH_SCHEMA,
      description: 'Month (UTC), for example `2026-10`. Defaults to the current month.',
      example: '2026-10',
    },
    {
      name: 'format',
      schema: { type: 'string', enum: component('StatementFormat', ['json', 'csv']), default: 'json' },
      description: 'Format of the response.',
      example: 'json',
    },
    cursorParameter,
  ],
  response: pageSchema(object(LINE), {
    statement: object({
      month: string,
      plan: string,
      units_per_month: nullable(integer),
      units: integer,
      test_units: integer,
      unrecorded_units: integer,
      overage_units: integer,
      sar_per_1000_units: number,
      net_sar: number,
      vat_pct: integer,
      vat_sar: number,
      total_sar: number,
    }),
  }),
  otherTypes: { 'text/csv': `${COLUMNS.join()}\n2026-10-01,key_91ab,Website,live,searchListings,120,360\n` },
  errors: ['invalid_value', 'limit_reached'],
  handle: async (call) => {
    const { query, caller, services } = call;
    const current = monthOf(services.clock.now());
    const month = query.month === undefined ? current : parseMonth(query.month);
    if (month > current || month <= current - STATEMENT_MONTHS)
      throw new ApiError('invalid_value', {
        param: 'month',
        message: `\`month\` must be one of the last ${STATEMENT_MONTHS} months, from ${monthLabel(current - STATEMENT_MONTHS + 1)} to ${monthLabel(current)}.`,
      });
    const read = (size: number, after: LinePosition | null) =>
      readStatementLines(services.pool, caller.organization_id, month, size, after);
    if (query.format === 'csv') {
      const lines = await read(MAX_CSV_LINES + 1, null);
      if (lines.length > MAX_CSV_LINES)
        throw new ApiError('limit_reached', {
          message: `The statement has more than ${MAX_CSV_LINES} lines. Read its pages with \`format=json\`.`,
          details: { limit: MAX_CSV_LINES },
        });
      const rows = [COLUMNS, ...lines.map((line) => COLUMNS.map((column) => line[column]))];
      const headers = { 'Content-Disposition': `attachment; filename="statement-${monthLabel(month)}.csv"` };
      return { type: 'text/csv', headers, bytes: [Buffer.from(csvLines(rows))] };
    }
    const page = await pageOfRows(call, { name: 'statement', filters: { month } }, async (size, after) => {
      const [day, key, operation = ''] = after ?? [];
      const lines = await read(size, day === undefined || key === undefined ? null : { day, key, operation });
      return lines.map(({ day_number, key_number, ...row }) => ({
        row,
        position: [day_number, key_number, row.operation] as const,
      }));
    });
    return { body: { ...page, statement: await readStatement(services.pool, caller.organization_id, month) } };
  },
});

export const accountEndpoints = [changePlanEndpoint, getStatementEndpoint, closeEndpoint];
