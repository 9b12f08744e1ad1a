// The worker that makes exports, in a process of its own, so that its memory and its processor time are its own.
import { startExports } from '#exports/worker.ts';
import { createLogger } from '#observability/logger.ts';
import { readConfig } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';

/** Asks for what the process has used since it was last asked. */
export interface UsageRequest {
  type: 'usage';
}

export interface Usage {
  /** Megabytes of resident memory, sampled ten times a second. */
  rss_mb: number[];
  processor_seconds: number;
}

const SAMPLE_EVERY = 100;

const { services } = await openServices(readConfig(process.env), { logger: createLogger('warn', process.stderr) });
startExports(services, { pollMs: 50 });
let samples: number[] = [];
let used = process.cpuUsage();
setInterval(() => samples.push(process.memoryUsage.rss() / 2 ** 20), SAMPLE_EVERY);
process.on('message', (_: UsageRequest) => {
  const { user, system } = process.cpuUsage(used);
  process.send?.({ rss_mb: samples, processor_seconds: (user + system) / 1e6 } satisfies Usage);
  samples = [];
  used = process.cpuUsage();
});
// Also when whoever started this process was killed.
process.on('disconnect', () => process.exit());
process.send?.({ rss_mb: [], processor_seconds: 0 } satisfies Usage);
