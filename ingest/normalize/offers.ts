import { isForBoth, readPurpose } from './ad-words.ts';
import type { RawListing } from './listing.ts';
import { isStated, readScalar } from './plain-values.ts';

/**
 * An ad for sale and for rent is two offers: the rent has its id, the sale `<id>:sale`. A single price is the rent if it
 * has a period; otherwise it is unread, because it may be either.
 */
export function offersOf<Raw extends object>(raw: Raw): Raw[] {
  const { purpose, price, sale_price: salePrice, price_period: period } = raw as Partial<RawListing>;
  const stated: unknown = Array.isArray(purpose) ? purpose.join(' / ') : purpose;
  if (typeof stated !== 'string') return [raw];
  const hasSalePrice = salePrice !== undefined && isStated(salePrice);
  if (isForBoth(stated)) {
    const isRent = hasSalePrice || isStated(period) || !isStated(price);
    const either = { price, of: 'rent or sale' };
    const { sale_price: _, ...ad } = raw as Partial<RawListing>;
    const id = readScalar(ad.source_listing_id);
    const rent = { ...ad, purpose: 'rent', price: isRent ? price : either, price_period: period };
    const sale = {
      ...ad,
      purpose: 'sale',
      price: isRent ? salePrice : either,
      price_period: null,
      source_listing_id: `${id}:sale`,
    };
    return (id === null ? [rent] : [rent, sale]) as object[] as Raw[];
  }
  if (!hasSalePrice || isStated(price) || readPurpose(stated) !== 'sale') return [raw];
  return [{ ...raw, price: salePrice, sale_price: null }];
}
