import { type Stores, searchListings } from '../corpus/corpus.ts';

const ID_PAGE = 10_000;

/** Ids of all listings, ascending. */
export async function readIds(stores: Stores): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const after = ids.at(-1);
    const { hits } = await searchListings<{ hits: { hits: { _id: string }[] } }>(stores, {
      size: ID_PAGE,
      sort: [{ 'filter.id': 'asc' }],
      _source: false,
      ...(after === undefined ? {} : { search_after: [after] }),
    });
    ids.push(...hits.hits.map(({ _id }) => Number(_id)));
    if (hits.hits.length < ID_PAGE) return ids;
  }
}
