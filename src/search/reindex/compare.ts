import { isDeepStrictEqual } from 'node:util';
import { chunks } from '#domain/chunks.ts';
import { type ListingDocument, toDocument } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { storedDigest } from '#domain/listings/stored-form.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { type ScannedListing, type ScannedVersion, scanVersions } from './scan.ts';

/** Documents by which the index `to` differs from the index `from`. */
export interface Differences {
  /** Ids of documents that are missing in `to`, or have an older version there. */
  missing: number[];
  /** Documents that exist in `to` but not in `from`. */
  surplus: ScannedVersion[];
}

/** Compares ids and versions in two indexes. Concurrent writes may appear; `recheck` compares these again. */
export async function compareIndexes(client: OpenSearch, from: string, to: string): Promise<Differences> {
  const differences: Differences = { missing: [], surplus: [] };
  const left = scanVersions(client, from);
  const right = scanVersions(client, to);
  let a = await left.next();
  let b = await right.next();
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.id < b.value.id)) {
      if (!a.done) differences.missing.push(a.value.id);
      a = await left.next();
    } else if (a.done || b.value.id < a.value.id) {
      differences.surplus.push(b.value);
      b = await right.next();
    } else {
      if (b.value.version < a.value.version) differences.missing.push(a.value.id);
      a = await left.next();
      b = await right.next();
    }
  }
  return recheck(client, from, to, differences);
}

/**
 * Returns the differences that remain when the documents are read by id, which requires no refresh. A write that has
 * reached only one of the indexes remains a difference.
 */
export async function recheck(client: OpenSearch, from: string, to: string, found: Differences): Promise<Differences> {
  const rest: Differences = { missing: [], surplus: [] };
  for (const ids of chunks(found.missing, 1_000)) {
    const source = await versionsOf(client, from, ids);
    const target = await versionsOf(client, to, ids);
    for (const [id, version] of source) if ((target.get(id) ?? -1) < version) rest.missing.push(id);
  }
  for (const part of chunks(found.surplus, 1_000)) {
    const ids = part.map(({ id }) => id);
    const target = await versionsOf(client, to, ids);
    const source = await versionsOf(client, from, ids);
    for (const [id, version] of target) if (!source.has(id)) rest.surplus.push({ id, version });
  }
  return rest;
}

/** Returns the current documents with the given ids. Missing documents are omitted. */
export async function readListings(
  client: OpenSearch,
  index: string,
  ids: readonly number[],
): Promise<ScannedListing[]> {
  const docs = await multiGet(client, index, ids, true);
  return docs.map((doc) => ({ id: Number(doc._id), version: doc._version, stored: doc._source as StoredListing }));
}

async function versionsOf(client: OpenSearch, index: string, ids: readonly number[]): Promise<Map<number, number>> {
  const docs = await multiGet(client, index, ids, false);
  return new Map(docs.map((doc) => [Number(doc._id), doc._version]));
}

interface GotDocument {
  _id: string;
  _version: number;
  found: boolean;
  _source?: StoredListing;
}

async function multiGet(
  client: OpenSearch,
  index: string,
  ids: readonly number[],
  source: boolean,
): Promise<GotDocument[]> {
  if (ids.length === 0) return [];
  const { docs } = await client.send<{ docs: GotDocument[] }>('POST', `/${index}/_mget`, {
    query: { _source: String(source) },
    body: { ids: ids.map(String) },
    ...ADMIN_REQUEST,
  });
  return docs.filter((doc) => doc.found);
}

/** Draws a random sample of ids. */
export async function drawSample(client: OpenSearch, index: string, size: number, seed: number): Promise<number[]> {
  const hits = await search(client, index, {
    size,
    _source: false,
    query: { function_score: { random_score: { seed, field: '_seq_no' } } },
  });
  return hits.map((hit) => Number(hit._id));
}

/**
 * Compares documents in two indexes: the stored listing and, by doc values, the indexed fields. A concurrent write may
 * appear as a difference; compare again in this case.
 * @returns the ids of differing documents
 */
export async function compareListings(
  client: OpenSearch,
  from: string,
  to: string,
  ids: readonly number[],
): Promise<number[]> {
  const expected = await readListings(client, from, ids);
  await client.indices.refresh({ index: to }, ADMIN_REQUEST);
  const found = await search(client, to, {
    size: ids.length,
    version: true,
    query: { ids: { values: ids.map(String) } },
    docvalue_fields: ['filter.*', 'stats.*', 'digest'],
  });
  const actual = new Map(found.map((hit) => [Number(hit._id), hit]));
  return expected
    .filter(({ id, version, stored }) => {
      const hit = actual.get(id);
      return hit === undefined || hit._version < version || (hit._version === version && !alike(stored, hit));
    })
    .map(({ id }) => id);
}

interface SampleHit {
  _id: string;
  _version: number;
  _source: StoredListing;
  fields?: Record<string, unknown[]>;
}

async function search(client: OpenSearch, index: string, body: object): Promise<SampleHit[]> {
  type Answer = { hits: { hits: SampleHit[] } };
  return (await client.send<Answer>('POST', `/${index}/_search`, { body, ...ADMIN_REQUEST })).hits.hits;
}

function alike(stored: StoredListing, hit: SampleHit): boolean {
  const document = toDocument(stored);
  const { display, private: hidden } = document;
  // Compared as JSON, in which a key that is undefined equals a missing key.
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify({ display, private: hidden })), hit._source)) return false;
  const { digest, ...fields } = hit.fields ?? {};
  // The client's JSON parser preserves only the first 53 of the 64 bits of the digest.
  if (digest?.[0] !== Number(storedDigest(stored))) return false;
  return isDeepStrictEqual(indexedValues(document), docValues(fields));
}

/** Returns the indexed values by field as sorted strings, except the location, which OpenSearch rounds. */
function indexedValues({ filter, stats }: ListingDocument): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [block, fields] of Object.entries({ filter, stats })) {
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'location' || value === null) continue;
      const list = (Array.isArray(value) ? value : [value]).map(String);
      if (list.length > 0) values.set(`${block}.${name}`, [...new Set(list)].sort());
    }
  }
  return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function docValues(fields: Readonly<Record<string, unknown[]>>): Map<string, string[]> {
  const entries = Object.entries(fields).filter(([name]) => name !== 'filter.location');
  const values = entries.map(([name, list]): [string, string[]] => [name, [...new Set(list.map(String))].sort()]);
  return new Map(values.sort(([a], [b]) => (a < b ? -1 : 1)));
}
