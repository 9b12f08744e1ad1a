import type { ErrorCode } from '#domain/errors.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { exportUnits } from '#src/metering/prices.ts';
import type { Services } from '#src/services.ts';
import { chargeExport } from './charge-export.ts';
import { columnsOf } from './columns.ts';
import type { Dataset, DatasetSource } from './dataset.ts';
import { CSV_DIALECT, createEncoder } from './encode.ts';
import { ATTRIBUTION, attemptPrefix, type ExportFile, MANIFEST } from './files.ts';
import type { Completion, ExportRecord } from './store.ts';
import { type FileStore, uploadText, writeParts } from './upload.ts';

export const MAX_ROWS = 2_000_000;

/** A failure whose reason is shown to the owner. */
export class ExportFailure extends Error {
  readonly code: ErrorCode;
  /** Replaces the default message of `code`. */
  readonly explanation: string | null;

  constructor(code: ErrorCode, explanation: string | null = null) {
    super(explanation ?? code);
    this.code = code;
    this.explanation = explanation;
  }
}

export const unitsOfRows = ({ free }: Dataset, rows: number): number => (free ? 0 : exportUnits(rows));

export type RunServices = DatasetSource['services'] & Pick<Services, 'clock' | 's3'>;

export interface RunOptions {
  rowsPerPart: number;
  /** @param written rows so far */
  onRows(written: number): void;
  signal: AbortSignal;
}

/** The current time is truncated to the minute, as in API requests. */
const MINUTE = 60_000;

/** @throws ExportFailure if there are too many rows or the charge is refused; ClaimLostError if the claim is lost */
export async function runExport(
  job: ExportRecord,
  dataset: Dataset,
  services: RunServices,
  options: RunOptions,
): Promise<Completion> {
  const { s3, config, clock } = services;
  const { signal, rowsPerPart, onRows } = options;
  const { filters, format } = job;
  const asOf = Math.floor(clock.now() / MINUTE) * MINUTE;
  const snapshot = await dataset.open({ filters, asOf, services, signal });
  try {
    signal.throwIfAborted();
    const rows = snapshot.count;
    const sourceLinks = await chargeRows(job, dataset, services, rows);
    const columns = columnsOf(dataset.row);
    const prefix = attemptPrefix(job.id, job.attempt);
    const store: FileStore = { s3, bucket: config.s3.exportsBucket, prefix, signal };
    const encoder = createEncoder(format, columns, signal);
    const rowsOf = snapshot.rows({ sourceLinks });
    const input = { rows: rowsOf, format, encoder, store, rowsPerPart, onRows };
    const parts = await writeParts(input).finally(encoder.close);
    const written = parts.reduce((sum, part) => sum + (part.rows ?? 0), 0);
    if (written !== rows) throw new Error(`${written} rows were written of ${rows} counted`);
    const { licence, caveats, attribution } = dataset.terms(services);
    const manifest = {
      export_id: job.id,
      dataset: dataset.name,
      format,
      as_of: isoSeconds(new Date(asOf)),
      watermark: snapshot.watermark ?? null,
      ...snapshot.position,
      filters,
      rows,
      parts,
      compression: format === 'parquet' ? null : 'gzip',
      columns: columns.map(({ name, types, format: stated }) => ({ name, types, format: stated })),
      csv: format === 'csv' ? CSV_DIALECT : null,
      licence,
      caveats,
      attribution_file: attribution === null ? null : ATTRIBUTION,
    };
    const put = async (name: string, type: string, text: string): Promise<ExportFile> => ({
      name,
      rows: null,
      ...(await uploadText(store, name, type, text)),
    });
    const files = [...parts, await put(MANIFEST, 'application/json', `${JSON.stringify(manifest, null, 2)}\n`)];
    if (attribution !== null) files.push(await put(ATTRIBUTION, 'text/plain; charset=utf-8', attribution));
    return { files, rows, asOf: new Date(asOf) };
  } finally {
    await snapshot.close();
  }
}

/** Counts the rows of an export. @throws ExportFailure if there are too many */
export async function countRows(dataset: Dataset, source: DatasetSource): Promise<number> {
  const snapshot = await dataset.open(source);
  await snapshot.close();
  requireFewRows(snapshot.count);
  return snapshot.count;
}

function requireFewRows(rows: number): void {
  if (rows <= MAX_ROWS) return;
  const [found, most] = [rows, MAX_ROWS].map((number) => number.toLocaleString('en'));
  const message = `There are ${found} rows; an export has at most ${most}. Narrow \`filters\`.`;
  throw new ExportFailure('limit_reached', message);
}

/** @returns whether the plan includes source links */
async function chargeRows(job: ExportRecord, dataset: Dataset, services: RunServices, rows: number): Promise<boolean> {
  requireFewRows(rows);
  const units = unitsOfRows(dataset, rows);
  if (job.max_units !== null && units > job.max_units)
    throw new ExportFailure('limit_reached', `The export costs ${units} units; \`max_units\` is ${job.max_units}.`);
  const charged = await chargeExport(services.pool, job, {
    scope: dataset.scope,
    units,
    rows,
    now: services.clock.chargeTime(),
  });
  if (charged.refused) throw new ExportFailure(charged.refused);
  return charged.sourceLinks;
}
