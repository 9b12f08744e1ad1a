import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type Column, valueAt } from './columns.ts';

/** A column of a file: elements of its schema, and a conversion of JSON values. */
interface ParquetColumn {
  elements: readonly SchemaElement[];
  read(row: unknown): unknown;
}

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const MOMENT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;
const DAY_MS = 86_400_000;

/** Parquet types of one element, with the conversion of a JSON value that is not null. */
function physical({ types, format, hasTexts }: Column): [Partial<SchemaElement>, (value: never) => unknown] {
  if (format === 'date-time') return [MOMENT, microsOf];
  if (format === 'date') return [{ type: 'INT32', converted_type: 'DATE' }, (day: string) => Date.parse(day) / DAY_MS];
  const [type] = types;
  if (type === 'integer') return [{ type: 'INT64' }, (value: number) => BigInt(value)];
  if (type === 'number') return [{ type: 'DOUBLE' }, (value: number) => value];
  if (type === 'boolean') return [{ type: 'BOOLEAN' }, (value: boolean) => value];
  if (type === 'string') return [TEXT, (value: string) => value];
  if (hasTexts) return [{ num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } }, (list) => list];
  return [TEXT, (value: object) => JSON.stringify(value)];
}

/** Epoch microseconds of a time in UTC. */
function microsOf(text: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return BigInt(Date.parse(`${text.slice(0, 19)}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6)));
}

const LIST = [
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', ...TEXT, ...OPTIONAL },
] as const satisfies readonly SchemaElement[];

function parquetColumn(column: Column): ParquetColumn {
  const [type, convert] = physical(column);
  return {
    elements: [{ name: column.name, ...OPTIONAL, ...type }, ...(type.num_children ? LIST : [])],
    read: (row) => {
      const value = valueAt(row, column.path);
      return value === null ? null : convert(value as never);
    },
  };
}

/** Points of the rows in WKB, for datasets with coordinates. */
function pointColumn(columns: readonly Column[]): ParquetColumn | null {
  const lng = columns.find(({ name }) => /(^|\.)location\.lng$/.test(name));
  const lat = columns.find(({ name }) => /(^|\.)location\.lat$/.test(name));
  if (lng === undefined || lat === undefined) return null;
  return {
    elements: [{ name: GEOMETRY, type: 'BYTE_ARRAY', ...OPTIONAL }],
    read: (row) => {
      const [x, y] = [valueAt(row, lng.path), valueAt(row, lat.path)];
      return x === null || y === null ? null : pointOf(Number(x), Number(y));
    },
  };
}

const GEOMETRY = 'geometry';

function pointOf(x: number, y: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(21));
  view.setUint8(0, 1);
  view.setUint32(1, 1, true);
  view.setFloat64(5, x, true);
  view.setFloat64(13, y, true);
  return new Uint8Array(view.buffer);
}

/** Coordinates are longitude and latitude on WGS 84, the default of GeoParquet. */
const GEO = JSON.stringify({
  version: '1.1.0',
  primary_column: GEOMETRY,
  columns: { [GEOMETRY]: { encoding: 'WKB', geometry_types: ['Point'] } },
});

/** Collects the rows of a file, which has one row group. */
export class ParquetPart {
  readonly #columns: readonly ParquetColumn[];
  readonly #values: unknown[][];
  readonly #hasPoints: boolean;

  constructor(columns: readonly Column[]) {
    const point = pointColumn(columns);
    this.#hasPoints = point !== null;
    this.#columns = [...columns.map(parquetColumn), ...(point ? [point] : [])];
    this.#values = this.#columns.map(() => []);
  }

  add(rows: readonly unknown[]): void {
    for (const [at, { read }] of this.#columns.entries()) {
      const values = this.#values[at] as unknown[];
      for (const row of rows) values.push(read(row));
    }
  }

  /** @returns the file */
  finish(): Uint8Array<ArrayBuffer> {
    const rows = this.#values[0]?.length ?? 0;
    const writer = new ByteWriter(2 ** 20);
    const file = new ParquetWriter({
      writer,
      schema: [
        { name: 'root', num_children: this.#columns.length },
        ...this.#columns.flatMap(({ elements }) => elements),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      ...(this.#hasPoints && { kvMetadata: [{ key: 'geo', value: GEO }] }),
    });
    file.write({
      columnData: this.#columns.map(({ elements: [element] }, at) => ({
        name: element?.name ?? '',
        data: this.#values[at] as unknown[],
        // Smallest and largest texts take a tenth of the time, and no reader selects by them.
        statistics: element?.type !== 'BYTE_ARRAY' && element?.type !== undefined,
      })),
      rowGroupSize: rows,
    });
    file.finish();
    return writer.getBytes() as Uint8Array<ArrayBuffer>;
  }
}
