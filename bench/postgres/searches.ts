import { foldText } from '#domain/fold.ts';
import { parseSearchText } from '#queries/text/search-text.ts';
import type { Statement } from '../load/protocol.ts';
import type { BenchRequest } from '../requests/families.ts';
import { type Bind, prepare } from './statement.ts';

/**
 * Creates a search as a prepared statement, one per combination of parameters. A page is one text that is ready to be
 * served, which is the least work for both sides; a count is a number.
 * @param wanted `ids` returns the page's ids, for comparison with other engines
 */
export function searchStatement({ filters, limit, after }: BenchRequest, wanted: 'page' | 'ids' = 'page'): Statement {
  return prepare((bind) => {
    const given: Readonly<Record<string, unknown>> = filters;
    const where = Object.entries(given).map(([name, value]) => {
      const condition = CONDITIONS[name];
      if (!condition) throw new Error(`no Postgres condition is defined for the filter ${name}`);
      return condition(value, bind);
    });
    const types = given.property_type;
    where.push(Array.isArray(types) && types.length === 1 ? 'plausible_typed' : 'plausible_pooled');
    if (after) where.push(`(first_seen_at, id) < (${bind(after.position[0])}, ${bind(after.position[1])})`);
    const matching = `from bench.listings where ${where.join(' and ')}`;
    if (limit === 0) return `select count(*) ${matching}`;
    const rows = (column: string) =>
      `(select ${column} ${matching} order by first_seen_at desc, id desc limit ${bind(limit)}) page`;
    return wanted === 'ids'
      ? `select array_agg(id) from ${rows('id')}`
      : `select string_agg(stored, ',') from ${rows('stored')}`;
  });
}

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

/** Requires a match for every group, by any of its terms, as in the search language. */
const tsquery = (q: string): string =>
  parseSearchText(foldText(q))
    .map((group) => `(${group.map((term) => `'${term.text}'`).join(' | ')})`)
    .join(' & ');
