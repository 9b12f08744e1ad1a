import type { RawListing } from '#ingest/normalize/listing.ts';
import { ndjson } from '#ingest/sources/kinds/ndjson-file.ts';
import { defineFileSource } from '#ingest/sources/source.ts';

/** A source whose mapping does not end for the id `forever`, and throws for the id `never`. */
export default defineFileSource({
  name: 'hanging',
  file: 'hanging.ndjson',
  read: ndjson({
    map: (row) => {
      while (row.source_listing_id === 'forever');
      if (row.source_listing_id === 'never') throw new Error('no such ad');
      return row as unknown as RawListing;
    },
  }),
});
