import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An operation's example response, and example request body if it has one. */
export interface Example {
  body?: unknown;
  answer: unknown;
}

/** Placeholder for the site URL in the example files. */
export const EXAMPLE_SITE = 'https://site.example';

const FOLDER = join(import.meta.dirname, 'examples');

/**
 * Reads all examples by operation id. A test records them from real responses and validates them against the schemas.
 */
export function readExamples(siteUrl: string): Map<string, Example> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(EXAMPLE_SITE, siteUrl);
      return [name.slice(0, -'.json'.length), JSON.parse(text) as Example];
    }),
  );
}
