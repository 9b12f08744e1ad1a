import type { RawListing } from '../../normalize/listing.ts';
import type { SourceDefinition } from '../source.ts';
import { named, split, texts } from './fields.ts';
import { amenitiesOf, pointOf, priceOf, TYPES as TYPE_CODES } from './property-finder-xml.ts';
import { defineXmlSource, type XmlFeed } from './xml-feed.ts';
import { agentKey, codeOf, firstText, lowerCased, neighborhoodOf, textOf } from './xml-fields.ts';
import type { XmlRow } from './xml-records.ts';

/** Property types that normalization would not read, or would read as another type. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['COMMERCIAL FLOOR', 'office'],
  ['BUSINESS CENTRE', 'office'],
  ['LABOUR CAMP', 'labour accommodation'],
  ['LABOR CAMP', 'labour accommodation'],
  ['BUNGALOW', 'villa'],
]);
const LAND = /\b(?:land|plot)\b|أرض/i;
const STUDIO = new Set(['-1', 'STUDIO']);
const YES = /^(?:YES|1|TRUE)$/;

/** Elements of the layout that Dubizzle used before. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  refno: 'property_ref_no',
  status: 'property_status',
  title: 'property_title',
  description: 'property_description',
  size: 'property_size',
  sizeunits: 'property_size_unit',
  pricecurrency: 'currency',
  locationtext: 'locality',
  contactemail: 'listing_agent_email',
  contactnumber: 'listing_agent_phone',
  lastupdated: 'last_updated',
};
const OLD_OFFERS: Readonly<Record<string, string>> = { RP: 'rent', SP: 'sale' };
const OLD_TYPES: Readonly<Record<string, string>> = {
  BU: 'residential building',
  IN: 'warehouse',
  LA: 'land',
  VI: 'villa',
};
const OLD_PERIODS: Readonly<Record<string, string>> = {
  YR: 'yearly',
  MO: 'monthly',
  WK: 'weekly',
  DA: 'daily',
  DY: 'daily',
};

/** Cities have numbers there, of which none is in Saudi Arabia. */
function fromOldLayout(row: XmlRow): XmlRow {
  const type = codeOf(row.subtype) === 'CO' ? codeOf(row.commercialtype) : codeOf(row.subtype);
  const text = (value: unknown): string => textOf(value) ?? '';
  return {
    ...named(Object.entries(row).map(([name, value]) => [OLD_NAMES[name] ?? name, value])),
    property_purpose: OLD_OFFERS[codeOf(row.type)] ?? text(row.type),
    property_type: OLD_TYPES[type] ?? TYPE_CODES[type]?.[0] ?? text(row.subtype),
    rent_frequency: OLD_PERIODS[codeOf(row.rentpriceterm)] ?? text(row.rentpriceterm),
    city: /^\d+$/.test(text(row.city)) ? text(row.locationtext) : text(row.city),
    features: amenitiesOf([row.privateamenities ?? '', row.commercialamenities ?? '']),
    images: { Image: split(text(row.photos), '|') },
  };
}

/**
 * Defines a source of a feed as agencies deliver it to Bayut and Dubizzle: `<Properties>` of `<Property>`, or the
 * earlier `<dubizzlepropertyfeed>` of `<property>`.
 *
 *     export default bayutFeed({ name: 'my_agency', url: 'https://feeds.example.com/bayut.xml' });
 */
export function bayutFeed(feed: XmlFeed): SourceDefinition {
  return defineXmlSource(feed, { parent: 'Properties', record: 'Property', map });
}

function map(row: XmlRow): RawListing {
  const stated = lowerCased(row);
  const field = 'refno' in stated ? fromOldLayout(stated) : stated;
  const type = textOf(field.property_type) ?? '';
  const beds = textOf(field.bedrooms);
  const isStudio = STUDIO.has(codeOf(beds));
  const size = textOf(field.property_size);
  const tower = textOf(field.tower_name);
  const isOffPlan = YES.test(codeOf(field.off_plan));
  return {
    source_listing_id: textOf(field.property_ref_no) ?? '',
    status: textOf(field.property_status),
    title: firstText(field.property_title_ar, field.property_title),
    description: firstText(field.property_description_ar, field.property_description),
    description_en: textOf(field.property_description),
    purpose: textOf(field.property_purpose) ?? '',
    property_type: isStudio && /^apartment$/i.test(type) ? 'studio' : (TYPES.get(codeOf(type)) ?? type),
    ...priceOf({ price: field.price, rental_period: field.rent_frequency }),
    currency: textOf(field.currency),
    area: LAND.test(type) && (size === null || Number(size) === 0) ? textOf(field.plotarea) : size,
    area_unit: textOf(field.property_size_unit),
    bedrooms: isStudio ? 0 : beds,
    bathrooms: firstText(field.bathroom, field.bathrooms, field.no_of_bathroom),
    age_years: isOffPlan ? 0 : null,
    furnished: textOf(field.furnished),
    amenities: featuresOf(field.features),
    city: textOf(field.city),
    neighborhood: neighborhoodOf(textOf(field.locality), textOf(field.sub_locality)),
    ...pointOf(field.geopoints),
    project: isOffPlan && tower !== null ? { name: tower } : null,
    photos: texts(field.images),
    advertiser_type: 'agency',
    advertiser_key: agentKey(field.listing_agent_email, field.listing_agent_phone, field.listing_agent),
    updated_at: textOf(field.last_updated),
  };
}

/** Some exporters join features by commas. */
function featuresOf(features: unknown): string[] {
  return texts(features).flatMap((feature) => (typeof feature === 'string' ? split(feature, ',') : feature));
}
