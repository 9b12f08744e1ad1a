import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import type { BytesResponse, Call } from '#http/endpoint.ts';
import { type Page, pageSchema } from '#http/pagination.ts';
import type { ListingPage } from '#search/listing-reader.ts';
import { listingsResponse } from '../listings/presentation.ts';
import { askingPrices } from './common.ts';

/** Schema of a page with units, each presented as a listing. */
export const UNITS_SCHEMA = pageSchema(LISTING_SCHEMA, askingPrices);

/** Returns a page of units as a response. */
export const unitsResponse = (
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  units: { page: Page; found: ListingPage },
): BytesResponse => listingsResponse(call, units, { price_source: 'asking' });
