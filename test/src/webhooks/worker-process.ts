// A webhook worker in a separate process that tests can kill. Prints `started` to standard output.
import { randomBytes } from 'node:crypto';
import { createLogger } from '#src/observability/logger.ts';
import { systemClock } from '#src/services.ts';
import { startWebhooks } from '#src/webhooks/webhook-worker.ts';
import { systemResolve } from '#stores/outbound/resolve.ts';
import { testConfig } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';

const city = process.env.CITY ?? '';
const services = {
  config: testConfig(),
  logger: createLogger('error', process.stderr),
  clock: systemClock,
  random: randomBytes,
  resolve: systemResolve,
};
const readListings = async (ids: readonly number[]) =>
  new Map(ids.map((id) => [id, makeListing({ id, location: { city } })]));
const stop = startWebhooks({ ...services, readListings }, JSON.parse(process.env.WEBHOOK_WORKER ?? '{}'));
console.log('started');
process.once('SIGTERM', async () => {
  await stop();
  process.exit();
});
