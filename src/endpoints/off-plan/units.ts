import { presentSearchAnswer } from '#domain/listings/present.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import type { Call } from '#http/endpoint.ts';
import { listBytes, type Page, pageSchema } from '#http/pagination.ts';
import { presentationOf } from '../listings/presentation.ts';
import { askingPrices } from './common.ts';

/** A page of units: each is a listing, presented as one. */
export const UNITS_SCHEMA = pageSchema(LISTING_SCHEMA, askingPrices);

/** The body of a page of units out of the engine's answer. */
export function unitsPage(
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  { page, answer }: { page: Page; answer: Buffer },
): Uint8Array[] {
  const { listings, more, last } = presentSearchAnswer(answer, page.size, presentationOf(call));
  const rows = listings.map(({ json }) => json);
  const pagination = page.pagination({ shown: listings.length, more, last });
  return listBytes(rows, { pagination, price_source: 'asking' });
}
