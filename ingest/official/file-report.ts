import type { OfficialKind } from './official-file.ts';

interface QuarterReport {
  quarter: string;
  scope: string;
  rows: number;
  /** `covered`: not imported, because a load for the whole country is served. */
  state: 'current' | 'unchanged' | 'held' | 'covered';
  detail: string | null;
}

export interface FileReport {
  id: number | null;
  name: string;
  kind: OfficialKind | null;
  layout: string | null;
  /** `unreadable` files are retried by the next import. */
  status: 'imported' | 'held' | 'repeated' | 'refused' | 'unreadable';
  rows: number;
  taken: number;
  /** Number of rejected rows by reason. */
  rejected: Record<string, number>;
  quarters: QuarterReport[];
  detail: string | null;
  seconds: number;
}

export const emptyReport = (name: string): FileReport => ({
  id: null,
  name,
  kind: null,
  layout: null,
  status: 'refused',
  rows: 0,
  taken: 0,
  rejected: {},
  quarters: [],
  detail: null,
  seconds: 0,
});
