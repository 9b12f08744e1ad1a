import { integer, nullable, object, oneOf, timestamp } from '#domain/json-schema.ts';
import { GONE_REASONS, GONE_STATES } from '#domain/listings/changes.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import type { LoadCall } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { readGone } from '#stores/postgres/listing-changes.ts';

export const GONE_SCHEMA = object({
  id: integer,
  state: oneOf(GONE_STATES),
  reason: oneOf(GONE_REASONS),
  since: nullable(timestamp),
  merged_into: nullable(integer),
});

/** Returns why listings are not served. Ids that were never served are omitted. */
export async function goneListings({ services }: Pick<LoadCall, 'services'>, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const gone = await readGone(services.pool, ids);
  return gone.map(({ since, ...listing }) => ({ ...listing, since: since && isoSeconds(since) }));
}

export async function notFound(call: Pick<LoadCall, 'services'>, id: number): Promise<ApiError> {
  const [gone] = await goneListings(call, [id]);
  if (!gone) return new ApiError('listing_not_found', { param: 'id' });
  const { id: _, ...details } = gone;
  return new ApiError('listing_not_found', { param: 'id', details });
}
