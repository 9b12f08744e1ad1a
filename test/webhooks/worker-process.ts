// A webhook worker in a separate process that tests can kill. Prints `started` to standard output.
import { createLogger } from '#observability/logger.ts';
import { openServices } from '#src/open-services.ts';
import { testConfig } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { startWebhooks } from '#webhooks/worker.ts';

const city = process.env.CITY ?? '';
const { services, close } = await openServices(testConfig(), { logger: createLogger('error', process.stderr) });
const readListings = async (ids: readonly number[]) =>
  new Map(ids.map((id) => [id, makeListing({ id, location: { city } })]));
const stop = startWebhooks({ ...services, readListings }, JSON.parse(process.env.WEBHOOK_WORKER ?? '{}'));
console.log('started');
process.once('SIGTERM', async () => {
  await stop();
  await close();
  process.exit();
});
