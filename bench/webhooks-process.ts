// The webhook worker, which matches and sends, in a separate process. Uses the listings of the corpus.
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { createLogger } from '#observability/logger.ts';
import { createPool } from '#postgres/pool.ts';
import { readConfig } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';
import { startWebhooks } from '#webhooks/worker.ts';

const { services } = await openServices(readConfig(process.env), { logger: createLogger('warn', process.stderr) });
const corpus = createPool(process.env.CORPUS_DATABASE_URL ?? '', { max: 2, statementTimeout: 30_000 });
startWebhooks({ ...services, readListings: (ids) => readStoredListings(corpus, ids) }, { pollMs: 100 });
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
process.send?.('started');
