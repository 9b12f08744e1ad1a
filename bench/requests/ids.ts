import { indexNames } from '#search/client.ts';
import type { Stores } from '../corpus/corpus.ts';

const ID_PAGE = 10_000;

/** Ids of all listings, ascending. */
export async function readIds({ client, config }: Stores): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const after = ids.at(-1);
    const { body } = await client.search(
      {
        index: indexNames(config.opensearch.indexPrefix).listings,
        body: {
          size: ID_PAGE,
          sort: [{ 'filter.id': 'asc' }],
          _source: false,
          ...(after === undefined ? {} : { search_after: [after] }),
        },
      } as never,
      { requestTimeout: 60_000 },
    );
    const { hits } = (body as unknown as { hits: { hits: { _id: string }[] } }).hits;
    ids.push(...hits.map(({ _id }) => Number(_id)));
    if (hits.length < ID_PAGE) return ids;
  }
}
