import { component } from '#domain/json-schema.ts';

export const ROWS_PER_PART = 25_000;

export const FORMATS = component('ExportFormat', ['ndjson', 'csv', 'parquet'] as const);
export type Format = (typeof FORMATS)[number];

export interface ExportFile {
  name: string;
  bytes: number;
  /** Digest of the downloaded file, in lowercase hex. */
  sha256: string;
  /** Null for files without rows, such as the manifest. */
  rows: number | null;
}

/** Returns a name such as `part-00001.ndjson.gz`. Parquet files are compressed within. */
export const partName = (number: number, format: Format): string =>
  `part-${String(number).padStart(5, '0')}.${format}${format === 'parquet' ? '' : '.gz'}`;

export const MANIFEST = 'manifest.json';
export const ATTRIBUTION = 'ATTRIBUTION.txt';

/** Contains the attempt, so that a worker that lost its lease cannot overwrite files. */
export const attemptPrefix = (exportId: string, attempt: number): string => `${exportId}/${attempt}/`;

/** Returns null if the key has another form. */
export function readKey(key: string): { exportId: string; attempt: number } | null {
  const match = /^(exp_[0-9a-f]+)\/(\d{1,9})\//.exec(key);
  return match ? { exportId: match[1] as string, attempt: Number(match[2]) } : null;
}

export interface Terms {
  licence: { name: string; url: string | null; terms: readonly string[] };
  caveats: readonly string[];
  /** Text that must be published with the rows; null if no attribution is required. */
  attribution: string | null;
}
