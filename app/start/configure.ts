import { join } from 'node:path';
import { Problem } from '#domain/process/problem.ts';
import { type Config, isLoopback, readConfig } from '#src/config.ts';

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

/** Sample values of the demo. */
const DEMO = {
  WEBHOOK_PRIVATE_HOSTS: RECEIVER,
  SELF_SERVICE: 'on',
  CONTACT: 'sales@example.com',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
  PLAN_PRICES: 'starter=490,growth=1490,pro=3990',
  OVERAGE_PRICES: 'starter=6,growth=5,pro=4',
};

/** Places of Riyadh in search sentences, with the sample only. */
export const SAMPLE_PLACES = { PLACES_FILE: join(import.meta.dirname, '../../sample/places.geojson') };

/** Returns configuration of the demo, unless other machines reach the service. */
export function demoSettings(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  if (!isLoopback(env.HOST || '127.0.0.1') || env.BASE_URL || env.SITE_URL) return {};
  // An operator can set a variable to an empty value, for example to forbid calls of the receiver.
  return Object.fromEntries(Object.entries(DEMO).filter(([name]) => env[name] === undefined));
}
