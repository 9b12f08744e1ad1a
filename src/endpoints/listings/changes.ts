import { amount, described, integer, nullable, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { LISTING_TYPES } from '#domain/listing-vocabulary.ts';
import { CHANGE_REASONS, CHANGE_TYPES, type ChangeType } from '#domain/listings/changes.ts';
import { EVENT_DAYS, isGone } from '#domain/listings/events.ts';
import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { timestamp as formatTimestamp, presentRows } from '#domain/listings/present.ts';
import { rowOf } from '#queries/filters/table.ts';
import { changedBody } from '#queries/listings/search.ts';
import { defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { limitParameter, listBytes } from '#src/http/pagination.ts';
import { PRICES } from '#src/metering/prices.ts';
import type { Services } from '#src/services.ts';
import type { IndexGuard } from '#stores/opensearch/index-guard.ts';
import {
  type Change,
  type ChangesPage,
  type ChangesRequest,
  type Feed,
  readChanges,
  readFeed,
} from '#stores/postgres/listing-changes.ts';
import { readListings } from '../search-index.ts';
import { filtersOf, LISTINGS, toParameter } from './parameters.ts';
import { presentationOf } from './presentation.ts';

const MAX_WAIT_S = 20;
const EARLIEST = 'earliest';
const NOW = 'now';

const parameters = [
  {
    name: 'after',
    schema: {
      type: 'string',
      pattern: `^(${EARLIEST}|${NOW}|-?(0|[1-9][0-9]{0,15}))$`,
      accepts: '`earliest`, `now` or an integer',
    },
    description:
      'Position after which changes are returned: the `next` of the previous page, or the `position` of a search or an export. `earliest` returns the last change of every listing and the retained events, which fills an empty copy. `now` returns no rows, but the current position.',
    required: true,
    example: EARLIEST,
  },
  {
    name: 'stream',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
    description:
      'The `stream` of the response that stated the position. Positions of another stream are refused. Required with a position below zero, which is in the initial state of a copy.',
  },
  { ...toParameter(rowOf('city')), required: false },
  { ...toParameter(rowOf('listing_type')), required: false },
  limitParameter,
  {
    name: 'wait_s',
    schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_S, default: 0 },
    description:
      'Seconds to wait if there are no changes after the position. The response follows as soon as changes are published. At most two calls of a key wait at a time.',
    example: '20',
  },
] as const satisfies readonly Parameter[];

export const listChanges = defineEndpoint({
  path: '/v1/listings/changes',
  operationId: 'listListingChanges',
  queue: 'searches',
  ...LISTINGS,
  summary: 'List changes of listings',
  description: `Returns the changes of the listings that search returns, in the order of publication, so that a copy equals the search results. Store \`listing\` of each row, or remove the listing if it is null. Filters apply to the place of the change: a listing that leaves them has a row with the reason \`left_filter\`. Events are retained for ${EVENT_DAYS} days; \`updated\` is only the last change of a listing. A position that is too old, in the future or of another stream is refused with \`position_expired\`: start again with \`after=${EARLIEST}\` and an empty copy.`,
  price: PRICES.changes,
  parameters,
  response: object({
    data: {
      type: 'array',
      items: object({
        position: integer,
        type: oneOf(CHANGE_TYPES),
        at: timestamp,
        listing_id: integer,
        city: string,
        listing_type: oneOf(LISTING_TYPES),
        reason: { type: ['string', 'null'], enum: CHANGE_REASONS },
        merged_into: nullable(integer),
        previous_price_yearly_sar: nullable(amount),
        reindexed: described(
          { type: 'boolean' } as const,
          'Whether the row results from a new form of listings in a release. It costs no units.',
        ),
        listing: nullable(LISTING_SCHEMA),
      }),
    },
    pagination: object({
      limit: integer,
      next: integer,
      has_more: { type: 'boolean' },
      stream: string,
    }),
  }),
  errors: ['position_expired'],
  wait: async ({ query, services }) => {
    const { after, wait_s } = query;
    if (wait_s === 0 || after === EARLIEST || after === NOW) return null;
    const position = Number(after);
    // Another process may have read a later position.
    if (position > publishedBy(services)) await services.indexGuard.confirm('listings');
    return currentPage(query, services) ? { ms: wait_s * 1_000, isOver: () => publishedBy(services) > position } : null;
  },
  load: async (call) => {
    const { query, services, now } = call;
    services.indexGuard.check('listings');
    const current = query.wait_s > 0 ? currentPage(query, services) : null;
    if (current) return current;
    const read = async (): Promise<ChangesPage> => {
      const feed = await readFeed(services.pool);
      const start = startOf(query, feed);
      const { city, listing_type: listingType = null, limit } = query;
      const cities = city === undefined ? null : [city].flat();
      const page = await readPage(services.pool, feed, { ...start, cities, listingType, limit });
      const ids = [...new Set(page.changes.filter(({ type }) => !isGone(type)).map(({ listing_id }) => listing_id))];
      const listings = ids.length === 0 ? [] : await readListings(call, changedBody(ids, filtersOf(query), { now }));
      return { ...page, stream: feed.stream, listings };
    };
    const known = services.indexGuard.position();
    // A publication ends all waits, most of them at one position.
    return query.wait_s > 0 && known ? services.changes.read(JSON.stringify([known, query]), read) : read();
  },
  rows: ({ changes }) => changes.filter(({ reindexed }) => !reindexed).length,
  present: (call, { changes, next, hasMore, stream, listings }) => {
    const found = new Map(presentRows(listings, presentationOf(call)).map(({ id, json }) => [id, json]));
    const rows = changes.map((change) => {
      const listing = change.has_left || isGone(change.type) ? undefined : found.get(change.listing_id);
      const head = Buffer.from(`${JSON.stringify(rowOfChange(change)).slice(0, -1)},"listing":`);
      return [head, ...(listing ?? [NULL]), CLOSE];
    });
    const pagination = { limit: call.query.limit, next, has_more: hasMore, stream };
    return { bytes: listBytes(rows, { pagination }) };
  },
});

const NULL = Buffer.from('null');
const CLOSE = Buffer.from('}');

const publishedBy = ({ indexGuard }: { indexGuard: IndexGuard }): number => indexGuard.position()?.position ?? 0;

/** The empty page at the position that this process read a second ago, without a query: thousands of waiting calls end with it. */
function currentPage(
  { after, stream }: { after: string; stream?: string },
  { indexGuard }: { indexGuard: IndexGuard },
) {
  const known = indexGuard.position();
  if (!known || Number(after) !== known.position || (stream ?? known.stream) !== known.stream) return null;
  return { changes: [] as Change[], next: known.position, hasMore: false, stream: known.stream, listings: [] };
}

/**
 * Subtracted from the positions of the initial state of a copy, at which a copy with earlier contents must not continue:
 * events up to `since` were deleted.
 */
const INITIAL = 9_000_000_000_000_000;

/** @throws ApiError position_expired, missing_parameter */
function startOf(
  { after: given, stream: stated }: { after: string; stream?: string },
  { position, since, stream }: Feed,
): Pick<ChangesRequest, 'after' | 'isInitial'> {
  const isOther = stated !== undefined && stated !== stream;
  if (!isOther) {
    if (given === NOW) return { after: position, isInitial: false };
    if (given === EARLIEST) return { after: 0, isInitial: since > 0 };
    const isInitial = Number(given) < 0;
    // After a restore, the initial state of another sequence has the same positions.
    if (isInitial && stated === undefined) throw new ApiError('missing_parameter', { param: 'stream' });
    const after = isInitial ? Number(given) + INITIAL : Number(given);
    const [first, last] = isInitial ? [0, since] : [since, position];
    if (after >= first && after <= last) return { after, isInitial };
  }
  const param = isOther ? 'stream' : 'after';
  throw new ApiError('position_expired', { param, details: { earliest: since, stream } });
}

/** The initial state consists of the last changes up to `since`; the sequence of events follows. */
async function readPage(
  pool: Services['pool'],
  { position, since }: Feed,
  request: Omit<ChangesRequest, 'upTo'>,
): ReturnType<typeof readChanges> {
  if (!request.isInitial) return readChanges(pool, { ...request, upTo: position });
  const { changes, next, hasMore } = await readChanges(pool, { ...request, upTo: since });
  return {
    changes: changes.map((change) => ({ ...change, position: change.position - INITIAL })),
    next: hasMore ? next - INITIAL : since,
    hasMore: true,
  };
}

function rowOfChange({ position, type, at, has_left: hasLeft, ...change }: Change) {
  const shown = type.slice('listing.'.length);
  return {
    position,
    type: (shown === 'moved' ? 'updated' : shown) as ChangeType,
    at: formatTimestamp(at),
    listing_id: change.listing_id,
    city: change.city,
    listing_type: change.listing_type,
    reason: hasLeft && !isGone(type) ? 'left_filter' : change.reason,
    merged_into: change.merged_into,
    previous_price_yearly_sar: change.previous_price,
    reindexed: change.reindexed,
  };
}
