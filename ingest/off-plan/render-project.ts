import { NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { findCity } from '#domain/geography/locate.ts';
import { AMENITIES } from '#domain/listing-vocabulary.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { DeveloperNames, StoredProject } from '#domain/off-plan/project.ts';
import { PROJECT_BANKS, PROJECT_FEATURES } from '#domain/off-plan/project-vocabulary.ts';
import type { NormalizedProject } from './sources/raw.ts';

/** Timestamps are in epoch seconds. */
export interface LiveCopy {
  id: number;
  source: string;
  updated: number;
  photos: readonly string[];
  record: NormalizedProject;
}

const MAX_IMAGES = 60;

/**
 * Values of the oldest copy take precedence, others fill missing fields. Lists are merged. The status is that of the
 * most recently updated copy. Pure.
 * @param copies oldest first, at least one
 * @param firstSeen epoch seconds
 */
export function renderProject(
  id: number,
  copies: readonly LiveCopy[],
  developer: DeveloperNames | null,
  firstSeen: number,
): StoredProject {
  const [main] = copies;
  if (main === undefined) throw new Error(`project ${id} has no live copy`);
  const records = copies.map(({ record }) => record);
  const first = <Value>(read: (record: NormalizedProject) => Value | null): Value | null => {
    for (const record of records) {
      const value = read(record);
      if (value !== null) return value;
    }
    return null;
  };
  const union = <Value>(order: readonly Value[], read: (record: NormalizedProject) => readonly Value[]): Value[] => {
    const found = new Set(records.flatMap(read));
    return order.filter((value) => found.has(value));
  };
  const latest = copies.reduce((best, copy) => (copy.updated > best.updated ? copy : best));
  const located = records.find(({ lat }) => lat !== null) ?? main.record;
  const priced = records.find(({ price_min_sar }) => price_min_sar !== null);
  const typed = records.find(({ unit_types }) => unit_types.length > 0) ?? main.record;
  const city = findCity(located.city);
  const neighborhoodId = located.neighborhood_id ?? first((record) => record.neighborhood_id);
  const neighborhood = neighborhoodId === null ? undefined : NEIGHBORHOODS_BY_ID.get(neighborhoodId);
  const images = [...new Set(copies.flatMap(({ photos }) => photos))].slice(0, MAX_IMAGES);
  return {
    display: {
      id,
      name_en: first((record) => record.name_en),
      name_ar: first((record) => record.name_ar),
      developer,
      status: latest.record.status,
      category: typed.category,
      location: {
        city: located.city,
        city_name_en: city?.name_en ?? located.city,
        neighborhood_id: neighborhoodId,
        neighborhood_name_ar: neighborhood?.name_ar ?? null,
        neighborhood_name_en: neighborhood?.name_en ?? null,
        lat: located.lat,
        lng: located.lng,
      },
      price: { min_sar: priced?.price_min_sar ?? null, max_sar: priced?.price_max_sar ?? null },
      delivery_date: first((record) => record.delivery_date),
      payment_plan: first((record) => record.payment_plan),
      features: union(PROJECT_FEATURES, (record) => record.features),
      banks: union(PROJECT_BANKS, (record) => record.banks),
      unit_types: typed.unit_types,
      images,
      image_count: images.length,
      source: { name: main.source },
      also_listed_on: [...new Set(copies.map(({ source }) => source))].filter((name) => name !== main.source).sort(),
      first_seen_at: timestamp(firstSeen),
      updated_at: timestamp(latest.updated),
    },
    detail: {
      description: first((record) => record.description),
      description_en: first((record) => record.description_en),
      boundary: first((record) => record.boundary),
      amenities: union(AMENITIES, (record) => record.amenities),
    },
  };
}
