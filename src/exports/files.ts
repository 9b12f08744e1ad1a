import type { Column } from './columns.ts';
import { CSV_DIALECT } from './csv.ts';

/** Rows of a file at most. */
export const ROWS_PER_PART = 25_000;

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** A file of a finished export. */
export interface ExportFile {
  name: string;
  bytes: number;
  /** SHA-256 of the file as downloaded, lowercase hex. */
  sha256: string;
  /** Null for files that hold no rows. */
  rows: number | null;
}

/** `part-00001.ndjson.gz` and so on. */
export const partName = (number: number, format: Format): string =>
  `part-${String(number).padStart(5, '0')}.${format}.gz`;

export const MANIFEST = 'manifest.json';
export const ATTRIBUTION = 'ATTRIBUTION.txt';

/**
 * The folder of an attempt's files in the bucket. Each attempt has one, so that a worker that has lost its lease cannot replace
 * linked files.
 */
export const attemptPrefix = (exportId: string, attempt: number): string => `${exportId}/${attempt}/`;

/** The export and the attempt that a key belongs to; null for keys of another form. */
export function readKey(key: string): { exportId: string; attempt: number } | null {
  const match = /^(exp_[0-9a-f]+)\/(\d{1,9})\//.exec(key);
  return match ? { exportId: match[1] as string, attempt: Number(match[2]) } : null;
}

/** On what terms rows may be used, and what to know about them. */
export interface Terms {
  licence: { name: string; url: string | null; terms: readonly string[] };
  caveats: readonly string[];
  /** The text of ATTRIBUTION.txt, which must be included with the rows; null if no attribution is required. */
  attribution: string | null;
}

export interface ManifestInput {
  exportId: string;
  dataset: string;
  format: Format;
  filters: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  asOf: string;
  /** Null for datasets without one. */
  watermark: string | null;
  rows: number;
  parts: readonly ExportFile[];
  columns: readonly Column[];
  terms: Terms;
}

/** The manifest: all that a reader of the files needs without calling the API. */
export function manifest(input: ManifestInput): Record<string, unknown> {
  const { licence, caveats, attribution } = input.terms;
  return {
    export_id: input.exportId,
    dataset: input.dataset,
    format: input.format,
    as_of: input.asOf,
    watermark: input.watermark,
    filters: input.filters,
    rows: input.rows,
    parts: input.parts,
    compression: 'gzip',
    columns: input.columns.map(({ name, types, format }) => ({ name, types, format })),
    csv: input.format === 'csv' ? CSV_DIALECT : null,
    licence,
    caveats,
    attribution_file: attribution === null ? null : ATTRIBUTION,
  };
}
