import { copyIn } from '#ingest/postgres/copy-in.ts';
import { indexNames } from '#search/client.ts';
import { type ScannedListing, scanListings } from '#search/reindex/scan.ts';
import type { Bench } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';

/** A table that the listings are copied into. */
export interface TableOfListings {
  /** Shown while it is copied. */
  title: string;
  /** Makes what is copied into. */
  schema: string;
  /** The table copied into, with its columns. */
  columns: string;
  /** Rows of a listing as lines of COPY. What both engines are given comes out of the same document. */
  lines(listing: ScannedListing): string[];
  /** Afterwards, in this order: the table proper, its indexes, and the planner's statistics. */
  statements: readonly string[];
}

export async function countListings({ client, config }: Corpus): Promise<number> {
  const { body } = await client.count({ index: indexNames(config.opensearch.indexPrefix).listings });
  return (body as { count: number }).count;
}

/** Copies what search serves into Postgres. */
export async function fillTable(bench: Bench, corpus: Corpus, table: TableOfListings): Promise<void> {
  const { pool, client, config } = corpus;
  const { listings } = indexNames(config.opensearch.indexPrefix);
  const bar = bench.screen.progress(table.title, await countListings(corpus));
  const connection = await pool.connect();
  try {
    await connection.query(table.schema);
    let done = 0;
    for await (const page of scanListings(client, listings, 2_000)) {
      bench.signal.throwIfAborted();
      await copyIn(connection, table.columns, page.flatMap(table.lines));
      done += page.length;
      bar.update(done);
    }
    bar.end();
    bench.screen.say('Indexing in Postgres ...');
    await connection.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2`);
    for (const statement of table.statements) await connection.query(statement);
  } finally {
    bar.end();
    connection.release(true);
  }
}
