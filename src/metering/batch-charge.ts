import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import {
  type Admitted,
  type AdmittedAnswer,
  type ChargeAnswer,
  type ChargeId,
  type ChargeRequest,
  charge,
  chargeAnswer,
  identified,
  type Refused,
} from './charge.ts';

/** Statement that charges several calls, described by `describeCalls`, their number, and the last charge id. */
export const CHARGE_CALLS = { name: 'charge-calls', text: 'select charge_calls($1, $2, $3, $4) as results' };

const CHARGES_ROW = { results: sql.listOf(sql.nullable(chargeAnswer)) };

/** Indexes of calls that differ only in units, page size and offset. If their sum fits, all are admitted. */
type Group = readonly [number, ...number[]];

/**
 * Charges calls in one round trip, with the same results as `charge` for each call. Calls with the same key are charged
 * in order. The charges get consecutive numbers in the session.
 * @param first id of the first charge
 * @param timeLimit timeout in milliseconds
 */
export async function chargeCalls(
  db: Queryable,
  first: ChargeId,
  requests: readonly ChargeRequest[],
  timeLimit: number,
): Promise<(Admitted | Refused)[]> {
  const [only] = requests;
  // The statement for a single call is faster.
  if (only && requests.length === 1) return [await charge(db, first, only, timeLimit)];
  const { session } = first;
  const groups = groupCalls(requests);
  const values = [describeGroups(requests, groups), requests.length, session, first.charge + requests.length - 1];
  const statement = { ...CHARGE_CALLS, values, query_timeout: timeLimit };
  const answers = (await sql.queryOne(db, CHARGES_ROW, statement)).results;
  for (const group of groups) splitAnswer(answers, group, requests);
  return requests.map((_, index) => {
    const answer = answers[index];
    if (!answer) throw new Error(`charge_calls returned nothing for call ${index}`);
    return identified(answer, { session, charge: first.charge + index });
  });
}

/** Returns the first parameter for `CHARGE_CALLS`. */
export const describeCalls = (requests: readonly ChargeRequest[]): string =>
  describeGroups(requests, groupCalls(requests));

function groupCalls(requests: readonly ChargeRequest[]): Group[] {
  const groups = new Map<string, [number, ...number[]]>();
  requests.forEach(({ keyHash, audience, scope, units, valid, ip, now }, index) => {
    const isCharged = valid && units > 0;
    const name = isCharged ? [keyHash.toString('latin1'), audience, scope, ip, now?.getTime()].join(' ') : `${index}`;
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  });
  return [...groups.values()];
}

function describeGroups(requests: readonly ChargeRequest[], groups: readonly Group[]): string {
  return JSON.stringify(
    groups.map((group) => {
      const calls = group.map((index) => requests[index] as ChargeRequest);
      const { keyHash, audience, scope, valid, ip, now } = calls[0] as ChargeRequest;
      const [units, limits, offsets] = (['units', 'limit', 'offset'] as const).map((of) =>
        calls.map((call) => call[of]),
      );
      return {
        hash: `\\x${keyHash.toString('hex')}`,
        audience,
        scope,
        valid,
        ip,
        now,
        places: group.map((index) => index + 1),
        units,
        limits,
        offsets,
        all_units: sum(units as number[]),
        largest_limit: Math.max(...(limits as number[])),
        largest_offset: Math.max(...(offsets as number[])),
      };
    }),
  );
}

/** Computes the results of calls that were admitted together, for which Postgres returns the state after the last. */
function splitAnswer(answers: (ChargeAnswer | null)[], group: Group, requests: readonly ChargeRequest[]): void {
  const together = answers[group[0]];
  if (!together || together.outcome !== null || group.every((index) => answers[index])) return;
  let later = 0;
  for (const index of [...group].reverse()) {
    const { units } = requests[index] as ChargeRequest;
    answers[index] = beforeLaterCalls(together, units, later);
    later += units;
  }
}

/** Returns the result for one call in a group. @param later total units of the subsequent calls in the group */
function beforeLaterCalls(together: AdmittedAnswer, units: number, later: number): AdmittedAnswer {
  const { rate_remaining } = together;
  const left = together.quota_left === null ? null : together.quota_left + later;
  return {
    ...together,
    units,
    rate_remaining: rate_remaining === null ? null : rate_remaining + later,
    quota_left: left,
    quota_remaining: left === null ? null : Math.max(0, left),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
