import { setTimeout as sleep } from 'node:timers/promises';
import { OVERLOAD, type Requester } from '#domain/read-queues.ts';
import type { Caller } from '#src/metering/charge-statement.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext } from './context.ts';
import type { Endpoint, LoadCall } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** Delay of refused visitors in milliseconds: their immediate retries would take capacity from other calls. */
const VISITOR_DELAY_MS = 250;
const FREE_PLAN = 'free';
/** The stack trace of the default error costs more than the abort. */
const DISCONNECTED = 'the client disconnected';

/** A signal that is aborted when the response has ended or its connection closes. */
export function connectionSignal({ res }: HttpContext): AbortSignal {
  const connection = new AbortController();
  const leave = (): void => connection.abort(DISCONNECTED);
  if (res.destroyed) leave();
  else res.once('close', leave);
  return connection.signal;
}

export const requesterOf = (
  context: HttpContext,
  { organization, plan }: Pick<Caller, 'organization' | 'plan'>,
): Requester => ({ name: organization, isVisitor: plan === FREE_PLAN, signal: connectionSignal(context) });

/** The status is that of the log and the metrics: it is no failure of the service. Nobody receives the response. */
const left = (): ApiError =>
  new ApiError('internal_error', { status: 499, message: 'The client closed the connection before the response.' });

/** @throws OVERLOAD; ApiError if the client has disconnected, so that it is not charged */
export async function runInTurn<T>(
  { readQueues }: Pick<Services, 'readQueues'>,
  { queue }: Pick<Endpoint, 'queue'>,
  { requester, deadline }: Pick<LoadCall, 'requester' | 'deadline'>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    const found = await (queue === undefined ? read() : readQueues.run(queue, requester, deadline, read));
    requester.signal?.throwIfAborted();
    return found;
  } catch (error) {
    if (requester.signal?.aborted) throw left();
    if (error === OVERLOAD && requester.isVisitor) await sleep(VISITOR_DELAY_MS);
    throw error;
  }
}
