import type { RawListing } from '../../normalize/listing.ts';
import type { SourceDefinition } from '../source.ts';
import { record, split } from './fields.ts';
import { defineXmlSource, type XmlFeed } from './xml-feed.ts';
import { agentKey, firstText, lowerCased, neighborhoodOf, textOf, textsOf } from './xml-fields.ts';
import type { XmlRow } from './xml-records.ts';

/** Property types that normalization would not read, or would read as another type. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['commercial floor', 'office'],
  ['business centre', 'office'],
  ['labour camp', 'labour accommodation'],
  ['labor camp', 'labour accommodation'],
  ['bungalow', 'villa'],
]);
const LAND = /\b(?:land|plot)\b|أرض/i;
const STUDIO = new Set(['-1', 'studio']);
const NOT_LISTED = /^(?:archived?|deleted?|draft|inactive|unpublished|expired|sold|rented)$/i;

/**
 * Defines a source of a feed as agencies deliver it to Bayut and Dubizzle: `<Properties>` of `<Property>`.
 *
 *     export default bayutFeed({ name: 'my_agency', url: 'https://feeds.example.com/bayut.xml' });
 */
export function bayutFeed(feed: XmlFeed): SourceDefinition {
  return defineXmlSource(feed, {
    parent: 'Properties',
    record: 'Property',
    map,
    isListed: (row) => !NOT_LISTED.test(textOf(lowerCased(row).property_status) ?? ''),
  });
}

function map(row: XmlRow): RawListing {
  const field = lowerCased(row);
  const type = textOf(field.property_type) ?? '';
  const beds = textOf(field.bedrooms);
  const isStudio = STUDIO.has(beds?.toLowerCase() ?? '');
  const size = textOf(field.property_size);
  const tower = textOf(field.tower_name);
  const isOffPlan = /^(?:yes|1|true)$/i.test(textOf(field.off_plan) ?? '');
  return {
    source_listing_id: textOf(field.property_ref_no) ?? '',
    title: firstText(field.property_title_ar, field.property_title),
    description: firstText(field.property_description_ar, field.property_description),
    description_en: textOf(field.property_description),
    purpose: textOf(field.property_purpose) ?? '',
    property_type: isStudio && /^apartment$/i.test(type) ? 'studio' : (TYPES.get(type.toLowerCase()) ?? type),
    price: textOf(field.price),
    price_period: textOf(field.rent_frequency),
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
    project: isOffPlan && tower !== null ? { name: tower } : null,
    photos: textsOf(record(field.images).Image),
    advertiser_type: 'agency',
    advertiser_key: agentKey(field.listing_agent_email, field.listing_agent_phone, field.listing_agent),
    updated_at: textOf(field.last_updated),
  };
}

/** Some exporters join features by commas. */
function featuresOf(features: unknown): string[] {
  return textsOf(record(features).Feature ?? features).flatMap((feature) => split(feature, ','));
}
