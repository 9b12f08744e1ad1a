import { type PreparedRow, type Presentation, positionOf, prepareHits, presentRows } from '#domain/listings/present.ts';
import type { StoredHit } from '#domain/listings/stored-form.ts';
import { isoMicros } from '#domain/timestamps.ts';
import type { Page } from '#src/http/cursor.ts';
import type { EndpointResponse, Parameter, PresentCall } from '#src/http/endpoint.ts';
import { listBytes } from '#src/http/pagination.ts';
import type { IndexGuard } from '#stores/opensearch/index-guard.ts';

/** For operations whose `data` is a listing or a list of listings. */
export const fieldsParameter = (names: readonly string[]) =>
  ({
    name: 'fields',
    schema: { type: 'array', items: { type: 'string', enum: names }, minItems: 1 },
    description:
      'Fields of the listing to return, besides `id`, which is always returned. Defaults to all fields. Generated clients that require all fields of a listing reject such responses. The units are the same.',
    example: 'price,location',
  }) as const satisfies Parameter;

type PresentedCall = Pick<PresentCall, 'caller' | 'services' | 'now'> & {
  query: { readonly fields?: readonly string[]; readonly [name: string]: unknown };
};

export function presentationOf({ caller, services, now, query }: PresentedCall): Presentation {
  const { siteUrl, cdnUrl } = services.config;
  return {
    siteUrl,
    cdnUrl,
    now,
    fields: query.fields,
    sourceLinks: caller.source_links,
    lastSeen: (source) => services.sourceClock.lastSeen(source),
  };
}

/** Returns the listings of hits as objects, for responses with further fields for each. */
export const listingsOf = (call: PresentedCall, hits: readonly StoredHit[]): unknown[] =>
  presentRows(prepareHits(hits, call.services.config), presentationOf(call)).map(({ json }) =>
    JSON.parse(Buffer.concat(json).toString()),
  );

/**
 * @param page.watermark epoch microseconds up to which the sort order is complete
 * @param page.position of the first page, from which changes continue
 * @param page.hint on an empty result
 * @param more properties beside the listings
 */
export function listingsResponse(
  call: PresentedCall,
  {
    page,
    rows,
    watermark,
    position = null,
    hint = {},
  }: {
    page: Page;
    rows: readonly PreparedRow[];
    watermark?: number | undefined;
    position?: ReturnType<IndexGuard['position']>;
    hint?: object;
  },
  more: Readonly<Record<string, unknown>> = {},
): EndpointResponse<never> {
  const { shown, pagination } = page.cut(rows, positionOf);
  // At the paging depth, changes after the last row follow with a new search.
  const last = pagination.result_window_reached ? shown.at(-1) : undefined;
  const published =
    watermark === undefined ? {} : { watermark: isoMicros(last ? Number(positionOf(last)[0]) : watermark) };
  const listings = presentRows(shown, presentationOf(call)).map(({ json }) => json);
  return { bytes: listBytes(listings, { pagination: { ...pagination, ...published, ...position, ...hint }, ...more }) };
}
