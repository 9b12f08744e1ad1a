// An export worker in a separate process that tests can kill. Prints `begun` for every export that it starts.

import { openServices } from '#app/open-services.ts';
import { startExports } from '#src/exports/export-worker.ts';
import { createLogger } from '#src/observability/logger.ts';
import { testConfig } from '#test/env.ts';

const { services, close } = await openServices(testConfig(), { logger: createLogger('info', process.stdout) });
const stop = startExports(services, JSON.parse(process.env.EXPORT_WORKER ?? '{}'));
console.log('started');
process.once('SIGTERM', async () => {
  await stop();
  await close();
  process.exit();
});
