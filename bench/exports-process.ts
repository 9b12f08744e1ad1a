// The export worker in a separate process, so that its memory and processor time can be measured.
import { startExports } from '#exports/worker.ts';
import { createLogger } from '#observability/logger.ts';
import { readConfig } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';

/** Resources used since the last message from the parent process. */
export interface Usage {
  /** Resident memory in MB, sampled ten times per second. */
  rss_mb: number[];
  processor_seconds: number;
}

const SAMPLE_EVERY_MS = 100;

const { services } = await openServices(readConfig(process.env), { logger: createLogger('warn', process.stderr) });
startExports(services, { pollMs: 50 });
let samples: number[] = [];
let used = process.cpuUsage();
setInterval(() => samples.push(process.memoryUsage.rss() / 2 ** 20), SAMPLE_EVERY_MS);
process.on('message', () => {
  const { user, system } = process.cpuUsage(used);
  process.send?.({ rss_mb: samples, processor_seconds: (user + system) / 1e6 } satisfies Usage);
  samples = [];
  used = process.cpuUsage();
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
process.send?.({ rss_mb: [], processor_seconds: 0 } satisfies Usage);
