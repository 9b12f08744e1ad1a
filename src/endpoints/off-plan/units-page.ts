import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import type { Answer, Call } from '#http/endpoint.ts';
import { type Page, pageSchema } from '#http/pagination.ts';
import type { ListingPage } from '#search/listing-reader.ts';
import { listingsAnswer } from '../listings/presentation.ts';
import { askingPrices } from './common.ts';

/** A page of units: each is a listing, presented as one. */
export const UNITS_SCHEMA = pageSchema(LISTING_SCHEMA, askingPrices);

/** Answers with a page of units. */
export const unitsAnswer = (
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  units: { page: Page; found: ListingPage },
): Answer => listingsAnswer(call, units, { price_source: 'asking' });
