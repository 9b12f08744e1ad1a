import { PER_SQM } from '#domain/listing-vocabulary.ts';
import { postedInSar } from '../normalize/currencies.ts';
import type { NormalizedListing } from '../normalize/listing.ts';

/** A renamed column empties these. */
const FIELDS = [
  { name: 'price', of: (ad: NormalizedListing) => ad.price_yearly_sar !== null, sql: 'l.price is not null' },
  { name: 'area', of: (ad: NormalizedListing) => ad.area_sqm !== null, sql: 'l.area_sqm is not null' },
  { name: 'bedrooms', of: (ad: NormalizedListing) => ad.bedrooms !== null, sql: 'l.bedrooms is not null' },
  { name: 'bathrooms', of: (ad: NormalizedListing) => ad.bathrooms !== null, sql: 'l.bathrooms is not null' },
  {
    name: 'neighborhood',
    of: (ad: NormalizedListing) => ad.neighborhood_id !== null,
    sql: 'l.neighborhood_id is not null',
  },
  { name: 'point', of: (ad: NormalizedListing) => ad.lat !== null, sql: 'l.lat is not null' },
  { name: 'photos', of: (ad: NormalizedListing) => ad.photos.length > 0, sql: `l.photo_list <> ''` },
  { name: 'text', of: (ad: NormalizedListing) => ad.title !== null || ad.description !== '', sql: `l.signature <> ''` },
  { name: 'advertiser', of: (ad: NormalizedListing) => ad.advertiser_key !== null, sql: 'l.advertiser is not null' },
] as const;

export const FILLED_SQL = FIELDS.map(({ sql }, bit) => `(${sql})::int * ${1 << bit}`).join(' + ');

/** In a smaller sample, most fields may be empty by chance. */
const MIN_ADS = 10;
/** In later batches; the last one of a feed may be small. */
const MIN_ADS_LATER = 100;
const MOVED = 1.1;

export interface StoredContent {
  filled: number;
  price: number | null;
  postedAmount: number | null;
  perSqm: boolean;
  listingType: string;
}

export const contentOf = (listing: NormalizedListing): StoredContent => ({
  filled: FIELDS.reduce((bits, { of }, bit) => (of(listing) ? bits | (1 << bit) : bits), 0),
  price: listing.price_yearly_sar,
  postedAmount: postedAmount(listing),
  perSqm: listing.price_as_posted?.frequency === PER_SQM,
  listingType: listing.listing_type,
});

/** SAR; its change is a price change. Null if none is posted. */
export const postedAmount = ({ price_as_posted: posted }: NormalizedListing): number | null =>
  posted && postedInSar(posted);

/**
 * Detects format changes from the ads that are already stored: most lost a field, most of their prices moved, or most
 * of their rows cannot be parsed. Each batch is checked before it is written.
 */
export class ContentCheck {
  #ads = 0;
  #unreadable = 0;
  #priced = 0;
  #moved = 0;
  readonly #had = FIELDS.map(() => 0);
  readonly #lost = FIELDS.map(() => 0);

  /** @param now the content of the row; null if it cannot be parsed */
  add(known: StoredContent, now: StoredContent | null): void {
    this.#ads++;
    if (now === null) {
      this.#unreadable++;
      return;
    }
    for (const bit of FIELDS.keys()) {
      if ((known.filled & (1 << bit)) === 0) continue;
      this.#had[bit] = (this.#had[bit] ?? 0) + 1;
      if ((now.filled & (1 << bit)) === 0) this.#lost[bit] = (this.#lost[bit] ?? 0) + 1;
    }
    this.#addPrice(known, now);
  }

  #addPrice(known: StoredContent, { price, postedAmount, listingType }: StoredContent): void {
    if (known.price === null || price === null || listingType !== known.listingType) return;
    this.#priced++;
    // If the quality stage converted the amount from a price per square meter, the stored price is a total.
    if (known.perSqm && postedAmount === known.postedAmount) return;
    if (price > known.price * MOVED || known.price > price * MOVED) this.#moved++;
  }

  /**
   * Returns the fault of most known ads in the batch, or null.
   * @param first whether it is the feed's first batch
   */
  verdict(first: boolean): string | null {
    const isMost = (count: number, of: number): boolean => of >= (first ? MIN_ADS : MIN_ADS_LATER) && count * 2 > of;
    if (isMost(this.#unreadable, this.#ads)) return `${this.#unreadable} of ${this.#ads} known ads cannot be read`;
    for (const [bit, { name }] of FIELDS.entries()) {
      const [lost, had] = [this.#lost[bit] ?? 0, this.#had[bit] ?? 0];
      if (isMost(lost, had)) return `the ${name} is gone from ${lost} of ${had} ads that had one`;
    }
    if (isMost(this.#moved, this.#priced)) return `${this.#moved} of ${this.#priced} prices moved by more than a tenth`;
    return null;
  }
}
