import { foldText } from '#domain/fold.ts';
import { parseSearchText } from '#queries/text/search-text.ts';
import type { Statement } from '../load/protocol.ts';
import type { BenchRequest } from '../requests/families.ts';
import type { TableName } from './table.ts';

/** Result of a statement: the page as one text, or ids for comparison. */
export type Wanted = 'page' | 'ids';

/**
 * A request as a prepared statement, one per combination of parameters. The page is one text ready to be served, which is
 * the least work for both ends; a count is a number.
 */
export function statementFor(
  { filters, limit, after }: BenchRequest,
  table: TableName,
  wanted: Wanted = 'page',
): Statement {
  const values: unknown[] = [];
  const bind = (value: unknown): string => {
    values.push(value);
    return `$${values.length}`;
  };
  const given: Readonly<Record<string, unknown>> = filters;
  const where: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const condition = CONDITIONS[name];
    if (!condition) throw new Error(`the Postgres side knows no filter ${name}`);
    where.push(condition(value, bind));
  }
  const types = given.property_type;
  where.push(Array.isArray(types) && types.length === 1 ? 'plausible_typed' : 'plausible_pooled');
  if (after) where.push(`(first_seen_at, id) < (${bind(after.position[0])}, ${bind(after.position[1])})`);
  const filter = where.join(' and ');
  const rows = (column: string) =>
    `select ${column} from bench.${table} where ${filter} order by first_seen_at desc, id desc limit ${bind(limit)}`;
  let text: string;
  if (limit === 0) text = `select count(*) from bench.${table} where ${filter}`;
  else if (wanted === 'ids') text = `select array_agg(id) from (${rows('id')}) page`;
  else text = `select string_agg(stored, ',') from (${rows('stored')}) page`;
  return { name: nameOf(text), text, values };
}

type Bind = (value: unknown) => string;

const equals = (column: string) => (value: unknown, bind: Bind) => {
  const list = Array.isArray(value) ? value : [value];
  return list.length === 1 ? `${column} = ${bind(list[0])}` : `${column} = any (${bind(list)})`;
};

const CONDITIONS: Readonly<Record<string, (value: unknown, bind: Bind) => string>> = {
  city: equals('city'),
  listing_type: equals('listing_type'),
  property_type: equals('property_type'),
  neighborhood_id: equals('neighborhood_id'),
  beds: equals('beds'),
  beds_min: (value, bind) => `beds >= ${bind(value)}`,
  price_min: (value, bind) => `price >= ${bind(value)}`,
  price_max: (value, bind) => `price <= ${bind(value)}`,
  bbox: (value, bind) => {
    const [west, south, east, north] = value as number[];
    return `position <@ box(point(${bind(west)}, ${bind(south)}), point(${bind(east)}, ${bind(north)}))`;
  },
  q: (value, bind) => `search @@ to_tsquery('arabic', ${bind(tsquery(String(value)))})`,
};

/** All groups, each with any of its terms, as in the search language. */
function tsquery(q: string): string {
  return parseSearchText(foldText(q))
    .map((group) => `(${group.map((term) => `'${term.text}'`).join(' | ')})`)
    .join(' & ');
}

const names = new Map<string, string>();

/** Statements with the same text share a name, and therefore a plan. */
function nameOf(text: string): string {
  const known = names.get(text) ?? `bench_${names.size}`;
  names.set(text, known);
  return known;
}
