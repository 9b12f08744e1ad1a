import { flag, number, numberOrNull, text } from '../postgres/copy-out.ts';
import type { Column } from '../postgres/rows.ts';

const NULL = '\\N';
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A nullable column with advertisers' text, which is read with COPY escapes. */
const writtenOrNull = (sql: string): Column<string | null> => ({
  sql,
  read: (value) => (value === NULL ? null : value.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char)),
});

/** Columns for ads that name a project or are linked to one. */
export const UNIT_COLUMNS = {
  id: number('id'),
  source: text('source'),
  city: text('city'),
  lat: numberOrNull('lat'),
  lng: numberOrNull('lng'),
  duplicateOf: numberOrNull('duplicate_of'),
  withdrawn: flag('withdrawn_at is not null'),
  reference: writtenOrNull('project_ref'),
  name: writtenOrNull('project_name'),
  developer: writtenOrNull('project_developer'),
};
export const UNITS = `from listings where project_ref is not null or project_name is not null or project_id is not null`;
