import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { CachedRead } from '#domain/cached-read.ts';
import { messageOf } from '#domain/message-of.ts';
import { codeOf } from '#domain/store-error.ts';
import type { Language } from '#src/documents/language.ts';
import type { Services } from '#src/services.ts';

export interface Incident {
  started_at: string;
  /** Null while the incident is in progress. */
  resolved_at: string | null;
  title: Readonly<Record<Language, string>>;
  text: Readonly<Record<Language, string>>;
}

const VALID_MS = 30_000;
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d)?Z$' };
const texts = {
  type: 'object',
  properties: { en: { type: 'string' }, ar: { type: 'string' } },
  required: ['en', 'ar'],
};
const isList = new Ajv().compile<Incident[]>({
  type: 'array',
  items: {
    type: 'object',
    properties: { started_at: time, resolved_at: { ...time, nullable: true }, title: texts, text: texts },
    required: ['started_at', 'title', 'text'],
  },
});

/** Newest first. While the file is invalid, returns the previous incidents and logs the problem. */
export function incidentReader({ config, logger }: Pick<Services, 'config' | 'logger'>): () => Promise<Incident[]> {
  const { incidentsFile: file } = config;
  if (file === null) return async () => [];
  let last: Incident[] = [];
  const incidents = new CachedRead(async () => {
    try {
      const list: unknown = JSON.parse(await readFile(file, 'utf8'));
      if (!isList(list))
        throw new Error(`It ${isList.errors?.map((each) => `${each.instancePath} ${each.message}`).join()}`);
      last = list
        .map((incident) => ({ ...incident, resolved_at: incident.resolved_at ?? null }))
        .sort((one, other) => Date.parse(other.started_at) - Date.parse(one.started_at));
    } catch (error) {
      // A file that does not exist has no incidents.
      if (codeOf(error) === 'ENOENT') last = [];
      else logger.error({ file, reason: messageOf(error) }, 'incidents file not read');
    }
    return last;
  }, VALID_MS);
  return () => incidents.read();
}
