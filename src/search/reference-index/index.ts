import { createHash } from 'node:crypto';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import { deleteIndexes, readAliases, updateAliases } from '../aliases.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { createFromTemplate, templateOf } from '../templates.ts';

export interface Reference {
  cities: readonly City[];
  neighborhoods: readonly Neighborhood[];
}

type PlaceKind = 'cities' | 'neighborhoods';

/** A place as stored in its index: `display` is returned to clients, the other fields are for searches. */
interface PlaceDocument<Place> {
  display: Place;
  filter: Record<string, unknown> & { order: number };
}

const PAGE = 5_000;

/**
 * Writes places to the `cities` and `neighborhoods` indexes. The name of an index contains a digest of its contents. If
 * the alias already points to an index with that name, nothing is written. Both aliases move in one call, so that
 * readers see either the old or the new places.
 * @returns whether anything was written
 */
export async function writeReference(client: OpenSearch, reference: Reference): Promise<boolean> {
  const { aliases } = client;
  const documents: Record<PlaceKind, Map<string, PlaceDocument<City | Neighborhood>>> = {
    cities: new Map(reference.cities.map((city, order) => [city.slug, cityDocument(city, order)])),
    neighborhoods: new Map(
      reference.neighborhoods.map((place, order) => [String(place.id), neighborhoodDocument(place, order)]),
    ),
  };
  const served = await aliasTargets(client);
  const actions: object[] = [];
  const replaced: string[] = [];
  for (const kind of ['cities', 'neighborhoods'] as const) {
    const target = `${aliases[kind]}-${contentDigest(kind, documents[kind])}`;
    if (served[kind].includes(target) && served[kind].length === 1) continue;
    await fill(client, kind, target, documents[kind]);
    actions.push({ add: { index: target, alias: aliases[kind] } });
    for (const index of served[kind]) {
      if (index === target) continue;
      actions.push({ remove: { index, alias: aliases[kind] } });
      replaced.push(index);
    }
  }
  if (actions.length === 0) return false;
  await updateAliases(client, actions);
  await deleteIndexes(client, replaced);
  return true;
}

/** Returns all places in the order in which they were written; empty before the first start of the service. */
export async function loadReference(client: OpenSearch): Promise<{ cities: City[]; neighborhoods: Neighborhood[] }> {
  const [cities, neighborhoods] = await Promise.all([
    readAll<City>(client, client.aliases.cities),
    readAll<Neighborhood>(client, client.aliases.neighborhoods),
  ]);
  return { cities, neighborhoods };
}

function cityDocument(city: City, order: number): PlaceDocument<City> {
  return {
    display: city,
    filter: { order, slug: city.slug, location: point(city.center) },
  };
}

function neighborhoodDocument(place: Neighborhood, order: number): PlaceDocument<Neighborhood> {
  return {
    display: place,
    filter: {
      order,
      id: place.id,
      city: place.city,
      slug: place.slug,
      direction_id: place.direction_id,
      location: point(place.center),
    },
  };
}

function point(center: LatLng | null): [number, number] | null {
  return center === null ? null : [center.lng, center.lat];
}

/** Returns a digest of the documents and the mapping, so that a changed mapping results in a new index. */
function contentDigest(kind: PlaceKind, documents: ReadonlyMap<string, unknown>): string {
  const { mappings } = templateOf(kind);
  const hash = createHash('sha256').update(JSON.stringify(mappings));
  for (const [id, document] of documents) hash.update(id).update(JSON.stringify(document));
  return hash.digest('hex').slice(0, 16);
}

async function aliasTargets(client: OpenSearch): Promise<Record<PlaceKind, string[]>> {
  const { cities, neighborhoods } = client.aliases;
  const found = [...(await readAliases(client, [cities, neighborhoods]))];
  const behind = (alias: string) => found.flatMap(([index, aliases]) => (aliases.includes(alias) ? [index] : []));
  return { cities: behind(cities), neighborhoods: behind(neighborhoods) };
}

/** Creates the index, or completes one that another process left incomplete or is still filling. */
async function fill(
  client: OpenSearch,
  kind: PlaceKind,
  index: string,
  documents: ReadonlyMap<string, unknown>,
): Promise<void> {
  await createFromTemplate(client, kind, index);
  if (documents.size === 0) return;
  let lines = '';
  for (const [id, document] of documents) lines += `{"index":{"_id":"${id}"}}\n${JSON.stringify(document)}\n`;
  type Answer = { errors: boolean; items: Record<string, { _id: string; error?: { reason: string } }>[] };
  const answer = await client.send<Answer>('POST', `/${index}/_bulk`, {
    query: { refresh: 'true', filter_path: 'errors,items.*.error,items.*._id' },
    bulkBody: lines,
    ...ADMIN_REQUEST,
  });
  if (!answer.errors) return;
  const failed = answer.items.map((item) => item.index).filter((item) => item?.error);
  throw new Error(`${index}: ${failed[0]?._id} was refused: ${failed[0]?.error?.reason}`);
}

async function readAll<Place>(client: OpenSearch, alias: string): Promise<Place[]> {
  const places: Place[] = [];
  let after: unknown[] | undefined;
  for (;;) {
    type Answer = { hits: { hits: { _source: { display: Place }; sort: unknown[] }[] } };
    const { hits: found } = await client.send<Answer>('POST', `/${alias}/_search`, {
      // The indexes do not exist until the service has started for the first time.
      query: { ignore_unavailable: 'true', allow_no_indices: 'true' },
      body: {
        size: PAGE,
        track_total_hits: false,
        sort: [{ 'filter.order': { order: 'asc', unmapped_type: 'integer' } }],
        ...(after ? { search_after: after } : {}),
      },
    });
    const { hits } = found;
    for (const hit of hits) places.push(hit._source.display);
    if (hits.length < PAGE) return places;
    after = hits.at(-1)?.sort;
  }
}
