import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an operation answered to a request, and the body of the request where it takes one. */
export interface Example {
  body?: unknown;
  answer: unknown;
}

/** In the files, the address that the site of any installation has here. */
export const EXAMPLE_SITE = 'https://site.example';

const FOLDER = join(import.meta.dirname, 'examples');

/** Examples by operation. A test takes them from real answers and holds them to the schemas. */
export function readExamples(siteUrl: string): Map<string, Example> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(EXAMPLE_SITE, siteUrl);
      return [name.slice(0, -'.json'.length), JSON.parse(text) as Example];
    }),
  );
}
