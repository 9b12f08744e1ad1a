import type pg from 'pg';

export interface Column<Value, Raw = string> {
  readonly sql: string;
  readonly read: (raw: Raw) => Value;
}

export type Columns<Raw = string> = Readonly<Record<string, Column<unknown, Raw>>>;

export type RowOf<C extends Columns<never>> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer Value, never> ? Value : never;
};

export const column = <Value>(sql: string): Column<Value, Value> => ({ sql, read: (value) => value });

export function selectList(columns: Columns<never>): string {
  return Object.values(columns)
    .map(({ sql }) => sql)
    .join(', ');
}

/** Runs a query whose text after the columns is `from`. A named query is prepared once per connection. */
export async function queryRows<C extends Columns<never>>(
  pool: pg.Pool | pg.ClientBase,
  columns: C,
  { name, from, values }: { name?: string; from: string; values: unknown[] },
): Promise<RowOf<C>[]> {
  const decode = decoderOf(columns);
  const { rows } = await pool.query<never[]>({
    ...(name === undefined ? {} : { name }),
    rowMode: 'array',
    text: `select ${selectList(columns)} ${from}`,
    values,
  });
  return rows.map(decode);
}

/** Returns a function that decodes a row from its values, in the order of the columns. */
export function decoderOf<C extends Columns<never>>(columns: C): (values: readonly never[]) => RowOf<C> {
  const entries = Object.entries(columns);
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [at, [name, { read }]] of entries.entries()) row[name] = read(values[at] as never);
    return row as RowOf<C>;
  };
}
