import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ValueOf } from '#domain/json-schema.ts';
import { startOfDay } from '#domain/timestamps.ts';
import type { Deprecation, Endpoint, Parameter } from '#src/http/endpoint.ts';
import { createValidator } from '#src/http/schema.ts';

const CHANGE_KINDS = ['added', 'changed', 'fixed', 'deprecated'] as const;

const DAY_MS = 86_400_000;
/** From the announcement of a deprecation to its sunset. */
const NOTICE_DAYS = 365;

const day = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } as const;
const text = { type: 'string', minLength: 1 } as const;
const bilingual = {
  type: 'object',
  additionalProperties: false,
  required: ['en', 'ar'],
  properties: { en: text, ar: text },
} as const;

const deprecatedPart = {
  type: 'object',
  additionalProperties: false,
  required: ['operation'],
  properties: { operation: text, parameter: text },
} as const;

const ENTRY = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'date', 'kind', 'title', 'text'],
  properties: {
    /** Ids are part of URLs and never change. */
    id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
    date: day,
    kind: { enum: CHANGE_KINDS },
    title: bilingual,
    /** Markdown. */
    text: bilingual,
    deprecates: { type: 'array', minItems: 1, items: deprecatedPart },
    /** Earliest removal. */
    sunset: day,
  },
} as const;

/** Days are in UTC. */
export type ChangelogEntry = ValueOf<typeof ENTRY>;

const faultsOf = createValidator({ type: 'array', minItems: 1, items: ENTRY });

/** @throws Error that identifies the invalid entry */
export function parseChangelog(source: string): readonly ChangelogEntry[] {
  const parsed: unknown = parse(source);
  const [wrong] = faultsOf(parsed) ?? [];
  if (wrong) throw new Error(`Invalid changelog: ${wrong.instancePath || '/'} ${wrong.message}.`);
  const entries = parsed as ChangelogEntry[];
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const fault = faultOf(entry, entries[index - 1]) ?? (seen.has(entry.id) ? 'another entry has the same id' : null);
    if (fault !== null) throw new Error(`Invalid changelog: ${entry.id}: ${fault}.`);
    seen.add(entry.id);
  }
  return entries;
}

function faultOf({ date, kind, deprecates, sunset }: ChangelogEntry, newer: ChangelogEntry | undefined): string | null {
  const announced = startOfDay(date);
  if (Number.isNaN(announced)) return `there is no day ${date}`;
  if (newer && newer.date < date) return 'it is newer than the entry before it';
  if ((kind === 'deprecated') !== (deprecates !== undefined)) return 'kind deprecated and `deprecates` go together';
  if (sunset === undefined) return null;
  if (deprecates === undefined) return '`sunset` requires `deprecates`';
  const ends = startOfDay(sunset);
  if (Number.isNaN(ends)) return `there is no day ${sunset}`;
  return ends - announced < NOTICE_DAYS * DAY_MS ? `its sunset is less than ${NOTICE_DAYS} days after it` : null;
}

export const CHANGELOG = parseChangelog(readFileSync(new URL('../../openapi/changelog.yaml', import.meta.url), 'utf8'));

/** @throws Error if an entry contains an unknown operation or parameter */
export function deprecate(endpoints: readonly Endpoint[], changelog: readonly ChangelogEntry[]): readonly Endpoint[] {
  const changed = new Map<string, Endpoint>(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  // Oldest first, so that the latest entry determines the sunset.
  for (const entry of changelog.toReversed()) {
    for (const { operation, parameter } of entry.deprecates ?? []) {
      const endpoint = changed.get(operation);
      if (!endpoint) throw new Error(`Invalid changelog: ${entry.id}: there is no operation ${operation}.`);
      const deprecated = deprecationOf(entry);
      changed.set(
        operation,
        parameter === undefined
          ? { ...endpoint, deprecated }
          : { ...endpoint, parameters: withDeprecated(endpoint.parameters, parameter, deprecated) },
      );
    }
  }
  return endpoints.map((endpoint) => changed.get(endpoint.operationId) ?? endpoint);
}

function deprecationOf({ id, date, sunset }: ChangelogEntry): Deprecation {
  return { entry: id, since: startOfDay(date), sunset: sunset === undefined ? null : startOfDay(sunset) };
}

function withDeprecated(parameters: readonly Parameter[], name: string, deprecated: Deprecation): Parameter[] {
  if (!parameters.some((each) => each.name === name))
    throw new Error(`Invalid changelog: ${deprecated.entry}: there is no query parameter ${name}.`);
  return parameters.map((each) => (each.name === name ? { ...each, deprecated } : each));
}
