import type { ExplorerParameter } from '#site/server/explorer-page.ts';
import { sourceName } from '#site/server/format.ts';
import type { Context } from './context.ts';
import { data, labelOf, nameOf, texts } from './page-data.ts';

export interface Option {
  value: string;
  text: string;
}

const { compare } = new Intl.Collator(data.language);

/** Start of a day in Saudi Arabia. */
export const MIDNIGHT = 'T00:00:00+03:00';
const HOURS_3 = 3 * 3_600_000;

/** Returns the day of a time in Saudi Arabia, as a date field holds it; empty for no time. */
export function dayOf(value: string): string {
  const at = Date.parse(value);
  return Number.isNaN(at) ? '' : new Date(at + HOURS_3).toISOString().slice(0, 10);
}

/** Returns the values of a filter with their names in the language of the page. */
export function optionsOf(
  { cities, neighborhoods }: Context,
  name: string,
  schema: ExplorerParameter['schema'],
): Option[] {
  const sorted = (options: Option[]): Option[] => options.sort((a, b) => compare(a.text, b.text));
  if (name === 'city')
    return [
      { value: '', text: texts.every_city },
      ...sorted(cities.map((city) => ({ value: city.slug, text: nameOf(city) }))),
    ];
  if (name === 'neighborhood_id' || name === 'neighborhood_id_exclude')
    return sorted(neighborhoods.map((each) => ({ value: String(each.id), text: nameOf(each) })));
  if (name === 'direction_id') {
    const used = new Set(neighborhoods.map(({ direction_id }) => direction_id));
    return data.directions
      .filter(({ id }) => used.has(id))
      .map((each) => ({ value: String(each.id), text: nameOf(each) }));
  }
  if (name === 'source' || name === 'source_exclude')
    return data.sources.map((source) => ({ value: source, text: sourceName(source) }));
  if (schema.type === 'boolean')
    return [
      { value: 'true', text: texts.yes },
      { value: 'false', text: texts.no },
    ];
  const items = schema.type === 'array' ? (schema.items as ExplorerParameter['schema'] | undefined) : schema;
  const values = ((items?.enum ?? []) as readonly unknown[]).map(String);
  return values.map((value) => ({ value, text: labelOf(data.enumerations[name] ?? '', value) }));
}
