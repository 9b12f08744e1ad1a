import type { RawListing } from '../../normalize/listing.ts';
import type { SourceDefinition } from '../source.ts';
import { record, texts } from './fields.ts';
import { valueAt } from './renamed.ts';
import { defineXmlSource, type XmlFeed } from './xml-feed.ts';
import { agentKey, codeOf, firstText, neighborhoodOf, textOf } from './xml-fields.ts';
import type { XmlRow } from './xml-records.ts';

/** The first letter, residential or commercial, selects the property type. */
const OFFERS: Readonly<Record<string, string>> = { RR: 'rent', RS: 'sale', CR: 'rent', CS: 'sale' };

/**
 * By code. Bulk units, compounds, labor camps and staff accommodation are missing, because the vocabulary has no type
 * for them: they are rejected with their code.
 */
export const TYPES: Readonly<Record<string, readonly [residential: string, commercial: string]>> = {
  AP: ['apartment', 'apartment'],
  BC: ['office', 'office'],
  BW: ['villa', 'villa'],
  CW: ['office', 'office'],
  DX: ['duplex', 'duplex'],
  FA: ['warehouse', 'warehouse'],
  FF: ['floor', 'office'],
  FM: ['farm', 'farm'],
  HA: ['apartment', 'apartment'],
  HF: ['floor', 'office'],
  LP: ['land', 'commercial land'],
  OF: ['office', 'office'],
  PH: ['apartment', 'apartment'],
  RE: ['shop', 'shop'],
  RT: ['shop', 'shop'],
  SH: ['shop', 'shop'],
  SR: ['showroom', 'showroom'],
  ST: ['warehouse', 'warehouse'],
  TH: ['townhouse', 'townhouse'],
  VH: ['villa', 'villa'],
  WB: ['residential building', 'commercial building'],
  WH: ['warehouse', 'warehouse'],
};

/** By code. Codes without an amenity of the vocabulary, such as views, are missing. */
const AMENITIES: Readonly<Record<string, string>> = {
  AC: 'ac',
  BA: 'balcony',
  BK: 'kitchen',
  CO: 'pool',
  CP: 'parking',
  MR: 'maid_room',
  PA: 'pets_allowed',
  PG: 'garden',
  PP: 'pool',
  PR: 'playground',
  PY: 'gym',
  SE: 'security',
  SP: 'pool',
  SY: 'gym',
};

/** The first one that is stated applies. */
const PERIODS = ['yearly', 'monthly', 'weekly', 'daily'];

interface PropertyFinderOptions {
  /** Unit of `size` and `plot_size`, for which the layout has no field. Defaults to square meters. */
  areaUnit?: 'sqm' | 'sqft';
}

/**
 * Defines a source of a feed as agencies deliver it to Property Finder: `<list>` of `<property>`.
 *
 *     export default propertyFinderFeed({ name: 'my_agency', url: 'https://feeds.example.com/pf.xml' });
 */
export function propertyFinderFeed({ areaUnit = 'sqm', ...feed }: XmlFeed & PropertyFinderOptions): SourceDefinition {
  return defineXmlSource(feed, { parent: 'list', record: 'property', map: (row) => map(row, areaUnit) });
}

function map(row: XmlRow, areaUnit: string): RawListing {
  const offer = codeOf(row.offering_type);
  const type = codeOf(row.property_type);
  const beds = firstText(row.bedroom, row.bedrooms);
  const isStudio = codeOf(beds) === 'STUDIO';
  const size = textOf(row.size);
  const isOffPlan = codeOf(row.completion_status).startsWith('OFF_PLAN');
  const project = firstText(row.project_name, row.property_name);
  const agent = record(row.agent);
  return {
    source_listing_id: textOf(row.reference_number) ?? '',
    status: textOf(row.status),
    title: firstText(row.title_ar, row.title_en, row.title),
    description: firstText(row.description_ar, row.description_en, row.description),
    description_en: firstText(row.description_en, row.description),
    purpose: OFFERS[offer] ?? offer,
    property_type:
      isStudio && type === 'AP'
        ? 'studio'
        : (TYPES[type]?.[offer.startsWith('C') ? 1 : 0] ?? textOf(row.property_type) ?? ''),
    ...priceOf(row),
    currency: firstText(row.currency, record(row.price)['@currency']),
    area: type === 'LP' && (size === null || Number(size) === 0) ? textOf(row.plot_size) : size,
    area_unit: areaUnit,
    bedrooms: beds,
    bathrooms: firstText(row.bathroom, row.bathrooms),
    floor: textOf(row.floor),
    age_years: isOffPlan ? 0 : textOf(row.build_year),
    furnished: textOf(row.furnished),
    amenities: [...amenitiesOf(row.private_amenities), ...amenitiesOf(row.commercial_amenities)],
    city: textOf(row.city),
    neighborhood: neighborhoodOf(textOf(row.community), textOf(row.sub_community)),
    ...pointOf(row.geopoints),
    project: isOffPlan && project !== null ? { name: project, developer: textOf(row.developer) } : null,
    photos: texts(valueAt(row, ['photo', 'url'])),
    advertiser_type: 'agency',
    advertiser_key: textOf(agent.id) ?? agentKey(agent.email, agent.phone, agent.name),
    updated_at: firstText(row['@last_update'], row.last_update),
  };
}

/** A price is a number with `rental_period`, or the rent in one of several elements. */
export function priceOf(row: Readonly<Record<string, unknown>>): Pick<RawListing, 'price' | 'price_period'> {
  if (/^(?:YES|1|TRUE)$/.test(codeOf(row.price_on_application))) return { price: null };
  const rents = record(row.price);
  const period = PERIODS.find((name) => Number(textOf(rents[name]) ?? 0) !== 0);
  if (period !== undefined) return { price: textOf(rents[period]), price_period: period };
  return { price: textOf(row.price), price_period: textOf(row.rental_period) };
}

/** Longitude first. */
export function pointOf(points: unknown): Pick<RawListing, 'lat' | 'lng'> {
  const [lng, lat] = String(textOf(points) ?? '')
    .split(',')
    .map((part) => part.trim());
  return { lat: lat ?? null, lng: lng || null };
}

/** Words are unchanged. */
export function amenitiesOf(list: unknown): string[] {
  return texts(list)
    .flatMap((codes) => String(codes).split(/[,|]/))
    .map((code) => code.trim())
    .flatMap((code) => AMENITIES[code.toUpperCase()] ?? (code.length > 2 ? code : []));
}
