import type { ServedIndex } from '#domain/index-state.ts';
import type { Call } from '#http/endpoint.ts';
import type { ListingPage } from '#search/listing-reader.ts';

type SearchCall = Pick<Call, 'services' | 'deadline'>;
type Body = Readonly<Record<string, unknown>>;

/** Sends one search to an index and returns the response. */
export const searchIndex = <Response>(call: SearchCall, index: ServedIndex, body: Body) =>
  call.services.search.search<Response>(index, body, { deadline: call.deadline });

/** Sends one search to an index and returns the bytes of the response. */
export const searchIndexBytes = (call: SearchCall, index: ServedIndex, body: Body) =>
  call.services.search.searchBytes(index, body, { deadline: call.deadline });

/** Reads a page of listings. `kind` names the kind of request, for the statistics of the reader. */
export const readListings = (
  call: SearchCall,
  body: Body,
  page: { limit: number; kind: string },
): Promise<ListingPage> => call.services.listings.read(body, { ...page, deadline: call.deadline });
