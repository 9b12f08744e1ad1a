import type { Box } from '#domain/geography/country.ts';
import type { LatLng } from '#domain/geography/places.ts';
import type { Places } from '#domain/geography/reference.ts';
import type { DeveloperDisplay, ProjectDisplay } from '#domain/off-plan/project.ts';
import { PlaceIndex, type Suggestible } from '#domain/suggestions/place-index.ts';
import {
  type CompoundBucket,
  type SuggestionBucket,
  type SuggestionCounts,
  suggestionCountsBody,
} from '#queries/listings/counts.ts';
import type { SearchEngine } from './read-engine.ts';

interface SuggestionDisplay {
  kind: Suggestible['kind'];
  id: number | null;
  slug: string | null;
  name_en: string | null;
  name_ar: string | null;
  city: string | null;
  listing_count: number;
  center: LatLng | null;
  box: Box | null;
}

export interface Suggestion extends Suggestible {
  display: SuggestionDisplay;
}

interface StoredSuggestion<Display> {
  hits: { hits: readonly { _source: { display: Display } }[] };
}

/** Maximum number of projects, and of developers. OpenSearch returns at most this many hits without paging. */
const MAX_STORED = 10_000;
const stored = (fields: readonly string[]) => ({
  size: MAX_STORED,
  track_total_hits: false,
  _source: fields.map((field) => `display.${field}`),
});

export async function loadSuggestions(
  search: SearchEngine,
  places: Pick<Places, 'cities' | 'neighborhoods'>,
): Promise<PlaceIndex<Suggestion>> {
  const [{ aggregations }, projects, developers] = await Promise.all([
    search.search<SuggestionCounts>('listings', suggestionCountsBody()),
    search.search<StoredSuggestion<ProjectDisplay>>('projects', stored(['id', 'name_en', 'name_ar', 'location'])),
    search.search<StoredSuggestion<DeveloperDisplay>>('developers', stored(['id', 'name_en', 'name_ar', 'cities'])),
  ]);
  const { city, neighborhood, compound, project, developer } = aggregations;
  const ofCity = figures(city.buckets);
  const ofNeighborhood = figures(neighborhood.buckets);
  const centers = new Map(neighborhood.buckets.map(({ key, centroid }) => [Number(key), centerOf(centroid?.location)]));
  const ofProject = figures(project.buckets);
  const ofDeveloper = figures(developer.buckets);
  const cities = places.cities();
  return new PlaceIndex([
    ...cities.map(({ slug, center, aliases, ...rest }) =>
      suggestion({ kind: 'city', slug, ...rest, city: slug, center, ...ofCity(slug) }, [slug], aliases),
    ),
    ...cities.flatMap((each) =>
      (places.neighborhoods(each.slug) ?? []).map(({ id, slug, name_en, name_ar, center, aliases }) =>
        suggestion(
          {
            kind: 'neighborhood',
            id,
            slug,
            name_en,
            name_ar,
            city: each.slug,
            ...ofNeighborhood(id),
            center: center ?? centers.get(id) ?? null,
          },
          [each.slug],
          aliases,
        ),
      ),
    ),
    ...compound.buckets.map(compoundSuggestion),
    ...projects.hits.hits.map(({ _source: { display } }) => {
      const { id, name_en, name_ar, location } = display;
      const { lat, lng } = location;
      const center = lat === null || lng === null ? null : { lat, lng };
      return suggestion({ kind: 'project', id, name_en, name_ar, city: location.city, center, ...ofProject(id) }, [
        location.city,
      ]);
    }),
    ...developers.hits.hits.map(({ _source: { display } }) => {
      const { id, name_en, name_ar } = display;
      const own = display.cities.map((each) => each.city);
      return suggestion({ kind: 'developer', id, name_en, name_ar, ...ofDeveloper(id) }, own);
    }),
  ]);
}

/** Rounded to 0.0001 degrees. Null if no listing has a location. */
function centerOf(location: { lat: number; lon: number } | undefined): LatLng | null {
  const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return location ? { lat: rounded(location.lat), lng: rounded(location.lon) } : null;
}

type Figures = Pick<SuggestionDisplay, 'listing_count' | 'box'>;

function suggestion(
  given: Partial<SuggestionDisplay> & Figures & Pick<SuggestionDisplay, 'kind' | 'name_en' | 'name_ar'>,
  cities: readonly string[],
  aliases: readonly string[] = [],
): Suggestion {
  const { kind, id = null, slug = null, name_en, name_ar, city = null, listing_count, center = null, box } = given;
  return {
    kind,
    cities,
    names: [name_en, name_ar, ...aliases].filter((name) => name !== null),
    listing_count,
    display: { kind, id, slug, name_en, name_ar, city, listing_count, center, box },
  };
}

/** A compound has only the name that its listings state, in Arabic or English. */
function compoundSuggestion(bucket: CompoundBucket): Suggestion {
  const { compound_name: name, location } = (bucket.stated.hits.hits[0] as CompoundBucket['stated']['hits']['hits'][0])
    ._source.display;
  const isArabic = /[\u0621-\u064a]/.test(name);
  const { box, listing_count } = figuresOf(bucket);
  const center = box && { lat: (box[1] + box[3]) / 2, lng: (box[0] + box[2]) / 2 };
  return suggestion(
    {
      kind: 'compound',
      name_en: isArabic ? null : name,
      name_ar: isArabic ? name : null,
      city: location.city,
      listing_count,
      center,
      box,
    },
    [location.city],
  );
}

function figures(buckets: readonly SuggestionBucket[]): (key: string | number) => Figures {
  const found = new Map(buckets.map((bucket) => [String(bucket.key), bucket]));
  return (key) => figuresOf(found.get(String(key)));
}

function figuresOf(bucket: SuggestionBucket | undefined): Figures {
  const bounds = bucket?.box.bounds;
  const box: Box | null = bounds
    ? [bounds.top_left.lon, bounds.bottom_right.lat, bounds.bottom_right.lon, bounds.top_left.lat]
    : null;
  return { listing_count: bucket?.doc_count ?? 0, box };
}
