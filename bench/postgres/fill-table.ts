import { copyIn } from '#ingest/postgres/copy-in.ts';
import { indexNames } from '#search/client.ts';
import { type ScannedListing, scanListings } from '#search/reindex/scan.ts';
import type { Bench } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';

/** A table for copies of the listings. */
export interface TableOfListings {
  /** Shown during the copy. */
  title: string;
  /** Creates the schema. */
  schema: string;
  /** The target table of the copy, with its columns. */
  columns: string;
  /** COPY lines for a listing. The data of both engines comes from the same document. */
  lines(listing: ScannedListing): string[];
  /** Statements after the copy, in this order: final table, indexes, planner statistics. */
  statements: readonly string[];
}

export async function countListings({ client, config }: Corpus): Promise<number> {
  const { body } = await client.count({ index: indexNames(config.opensearch.indexPrefix).listings });
  return (body as { count: number }).count;
}

/** Copies the listings that search serves into Postgres. */
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
