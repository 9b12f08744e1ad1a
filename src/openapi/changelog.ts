import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { startOfDay } from '#domain/timestamps.ts';
import type { Deprecation, Endpoint } from '#src/http/endpoint.ts';

type Bilingual = Readonly<Record<'en' | 'ar', string>>;

/** Days are in UTC. */
export interface ChangelogEntry {
  /** Part of URLs; never changes. */
  id: string;
  date: string;
  kind: 'added' | 'changed' | 'fixed' | 'deprecated';
  title: Bilingual;
  /** Markdown. */
  text: Bilingual;
  deprecates?: readonly { operation: string; parameter?: string }[];
  /** Earliest removal. */
  sunset?: string;
}

/** Entries are not validated: those of the release are by `test/src/openapi/changelog.test.ts`. */
export const parseChangelog = (source: string): readonly ChangelogEntry[] => parse(source);

/** Newest first. */
export const CHANGELOG = parseChangelog(readFileSync(new URL('../../openapi/changelog.yaml', import.meta.url), 'utf8'));

/** Marks what entries deprecate. The latest entry determines the sunset. */
export function deprecate(endpoints: readonly Endpoint[], changelog: readonly ChangelogEntry[]): readonly Endpoint[] {
  const marked = <T>(part: T, operation: string, parameter?: string): T => {
    const entry = changelog.find(({ deprecates = [] }) =>
      deprecates.some((each) => each.operation === operation && each.parameter === parameter),
    );
    if (entry === undefined) return part;
    const { id, date, sunset } = entry;
    const deprecated: Deprecation = {
      entry: id,
      since: startOfDay(date),
      sunset: sunset === undefined ? null : startOfDay(sunset),
    };
    return { ...part, deprecated };
  };
  return endpoints.map((endpoint) => {
    const { operationId } = endpoint;
    const parameters = endpoint.parameters.map((each) => marked(each, operationId, each.name));
    return marked({ ...endpoint, parameters }, operationId);
  });
}
