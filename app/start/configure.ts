import { Problem } from '#domain/process/problem.ts';
import { type Config, readConfig } from '#src/config.ts';

/** @throws Problem if the configuration is incomplete or invalid */
export function configure(...environments: Parameters<typeof readConfig>): Config {
  try {
    return readConfig(...environments);
  } catch (error) {
    throw new Problem((error as Error).message);
  }
}

/** Address of the receiver in the webhooks guide. */
const RECEIVER = '127.0.0.1:9100';

/** Returns configuration for that receiver, unless other machines reach the service. */
export function localReceiver(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const local = /^(127(\.\d{1,3}){3}|localhost|::1)$/.test(env.HOST || '127.0.0.1') && !env.BASE_URL && !env.SITE_URL;
  // An operator can set the variable to an empty value to forbid these calls.
  return local && env.WEBHOOK_PRIVATE_HOSTS === undefined ? { WEBHOOK_PRIVATE_HOSTS: RECEIVER } : {};
}
