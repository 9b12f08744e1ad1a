import PQueue from 'p-queue';
import { arrayOf, component, type JsonSchema, object, single } from '#domain/json-schema.ts';
import { OVERLOAD } from '#domain/read-queues.ts';
import { COST_PROPERTIES } from '#src/http/cost-parameters.ts';
import { defineEndpoint, type PostCall } from '#src/http/endpoint.ts';
import { ApiError, faultError } from '#src/http/errors/api-error.ts';
import { runInTurn } from '#src/http/in-turn.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { chargePost } from '#src/http/post.ts';
import { PRICES } from '#src/metering/prices.ts';
import { LOCKS } from '#stores/postgres/locks.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Transaction } from '#stores/postgres/transaction.ts';
import { ANALYTICS } from './common.ts';
import { estimateHome, estimateSchema } from './estimate.ts';
import { type HomeQuery, homeParameters, placeMissing } from './home-parameters.ts';

const MAX_HOMES = 100;
/** Homes of a call that are estimated at the same time. */
const CONCURRENT = 2;
/** Calls of a process, each of which has a connection to Postgres until it ends. */
const MAX_CALLS = 4;
let calls = 0;

const HOME = component('HomeToEstimate', {
  type: 'object',
  additionalProperties: false,
  required: homeParameters.filter((each) => 'required' in each && each.required).map(({ name }) => name),
  properties: Object.fromEntries(
    homeParameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
  ),
} as JsonSchema);

const BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['homes'],
  properties: { homes: { type: 'array', items: HOME, minItems: 1, maxItems: MAX_HOMES }, ...COST_PROPERTIES },
} as const satisfies JsonSchema;

const decode = compileParameters(homeParameters);

type Prepared = Omit<PostCall, 'db'> & { body: { homes: readonly Readonly<Record<string, unknown>>[] } };
type HomeEstimate = Awaited<ReturnType<typeof estimateHome>>;

/** Values are decoded as in a query, so that both accept the same homes. @throws ApiError of the first fault */
const readHomes = ({ body, services: { places } }: Pick<Prepared, 'body' | 'services'>): HomeQuery[] =>
  body.homes.map((home, at) => {
    const texts = Object.entries(home).map(([name, value]) => [name, String(value)] as const);
    const { values, faults } = decode(Object.fromEntries(texts), places);
    const located = faults.map((fault) => ({ ...fault, param: `homes[${at}].${fault.param}` }));
    if (located.length > 0) throw faultError(located, marketEstimates);
    if (home.near === undefined && home.neighborhood_id === undefined) throw placeMissing(`homes[${at}].near`);
    return values as HomeQuery;
  });

/** Nothing is estimated if the units of estimates for all homes are not available. */
async function checkUnits(db: Transaction, call: Prepared, units: number): Promise<void> {
  await db.query('savepoint before_units');
  await chargePost(db, marketEstimates, call, units);
  // Also releases the locks of the counters.
  await db.query('rollback to savepoint before_units');
}

/** @throws ApiError conflict if another process or call estimates homes for the organization */
async function takeTurn(db: Transaction, organization: number): Promise<void> {
  const { sql: lock, values } = LOCKS.estimates(organization);
  const text = `select pg_try_advisory_xact_lock(${lock}) as taken`;
  if ((await sql.queryOne(db, { taken: sql.boolean }, text, [...values])).taken) return;
  const message = 'Another call of the organization estimates homes. Retry when it has ended.';
  throw new ApiError('conflict', { message, retryAfterS: 1 });
}

/** Holds no row of the organization, so that its other changes do not wait for the estimates. */
async function estimateAll(call: Prepared): Promise<HomeEstimate[]> {
  const homes = readHomes(call);
  const { services, caller } = call;
  if (calls >= MAX_CALLS) throw OVERLOAD;
  calls++;
  const estimate = async (db: Transaction): Promise<HomeEstimate[]> => {
    await takeTurn(db, caller.organization_id);
    await checkUnits(db, call, homes.length * PRICES.estimate.units);
    const queue = new PQueue({ concurrency: CONCURRENT });
    return queue.addAll(
      homes.map((home) => () => runInTurn(services, { queue: 'statistics' }, call, () => estimateHome(call, home))),
    );
  };
  return inTransaction(services.pool, estimate).finally(() => calls--);
}

export const marketEstimates = defineEndpoint({
  method: 'POST',
  path: '/v1/market/estimates',
  operationId: 'estimatePrices',
  ...ANALYTICS,
  summary: 'Estimate the prices of several homes',
  description: `Estimates up to ${MAX_HOMES} homes as \`GET /market/estimate\` does. \`estimates\` has one entry per home, in the order of the request. Costs ${PRICES.estimate.units} units for each home with an estimate, against the monthly quota and the caps, not the rate limit; homes without an estimate are free. The quota must allow an estimate for every home. An organization can have one such call at a time: another returns 409 \`conflict\`.`,
  price: PRICES.estimates,
  rowPrice: { units: PRICES.estimate.units, per: 1 },
  bodySchema: BODY,
  response: single(object({ units: { type: 'integer' }, estimates: arrayOf(object(estimateSchema)) })),
  errors: [
    ...new Set([
      ...homeParameters.flatMap((each) => ('check' in each && each.check ? [each.check.code] : [])),
      ...([
        'conflict',
        'missing_parameter',
        'invalid_value',
        'monthly_quota_exceeded',
        'spend_cap_reached',
        'project_cap_exceeded',
      ] as const),
    ]),
  ],
  quote: async (call) => ({
    maxUnits: readHomes(call as unknown as Prepared).length * PRICES.estimate.units,
  }),
  prepare: (call) => estimateAll(call as unknown as Prepared),
  handle: async (given, prepared) => {
    const call = given as unknown as Prepared;
    const estimates = await prepared;
    const found = estimates.filter(({ estimate }) => estimate !== null).length;
    const charged = await chargePost(given.db, marketEstimates, call, found * PRICES.estimate.units);
    return { body: { data: { units: charged.units, estimates } }, charged };
  },
});
