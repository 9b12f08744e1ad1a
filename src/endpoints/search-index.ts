import type { ServedIndex } from '#domain/index-state.ts';
import type { PreparedRow } from '#domain/listings/present.ts';
import type { LoadCall } from '#src/http/endpoint.ts';

type SearchCall = Pick<LoadCall, 'services' | 'deadline'>;
type Body = Readonly<Record<string, unknown>>;

export const searchIndex = <Response>(call: SearchCall, index: ServedIndex, body: Body) =>
  call.services.search.search<Response>(index, body, { deadline: call.deadline });

/** @param options.scan whether the client reads each listing once */
export const readListings = (call: SearchCall, body: Body, { scan = false } = {}): Promise<PreparedRow[]> =>
  call.services.listings.read(body, { scan, deadline: call.deadline });
