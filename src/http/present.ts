import { refund, takenUnits } from '#metering/charge.ts';
import type { Services } from '#src/services.ts';
import type { Call, EndpointResponse, MeteredEndpoint } from './endpoint.ts';

/** Presents the response to a charged call. A failure is a bug, and its charge is refunded. */
export async function presentCharged(
  { pool, logger }: Pick<Services, 'pool' | 'logger'>,
  { operationId, present }: Pick<MeteredEndpoint, 'operationId' | 'present'>,
  call: Call,
  loaded: unknown,
): Promise<EndpointResponse> {
  try {
    return present(call, loaded);
  } catch (error) {
    const { requestId, caller } = call;
    await refund(pool, takenUnits(caller)).catch((failure: unknown) => {
      logger.error({ err: failure, request_id: requestId, charge: takenUnits(caller) }, 'charge not refunded');
    });
    logger.error({ request_id: requestId, operation: operationId }, 'charged call not presented');
    throw error;
  }
}
