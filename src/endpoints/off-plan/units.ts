import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import type { Answer, Call } from '#http/endpoint.ts';
import { listBytes, type Page, pageSchema } from '#http/pagination.ts';
import type { ListingPage } from '#search/listing-reader.ts';
import { answerOf, presentationOf } from '../listings/presentation.ts';
import { askingPrices } from './common.ts';

/** A page of units: each is a listing, presented as one. */
export const UNITS_SCHEMA = pageSchema(LISTING_SCHEMA, askingPrices);

/** Answers with a page of units. */
export function unitsAnswer(
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  { page, found }: { page: Page; found: ListingPage },
): Answer {
  return answerOf(found, () => {
    const { listings, more, last } = found.present(page.size, presentationOf(call));
    const rows = listings.map(({ json }) => json);
    const pagination = page.pagination({ shown: listings.length, more, last });
    return listBytes(rows, { pagination, price_source: 'asking' });
  });
}
