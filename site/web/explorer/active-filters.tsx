import type { ParsedSentence } from '#domain/sentence/parse.ts';
import { radiusOf } from '#site/server/explorer-place.ts';
import { type Context, useExplorer } from './context.ts';
import { dayOf, optionsOf } from './filter-options.ts';
import { data, format, labelOf, nameOf, texts } from './page-data.ts';
import { useParsed } from './search-box.tsx';
import { SHAPES } from './state.ts';

const AMOUNTS = ['price_min', 'price_max'];
/** Every search has them, and the form shows them first. */
const ALWAYS = ['city', 'listing_type'];
/** They complete another parameter, or have a control of their own. */
const BESIDE = ['radius_m', 'sort'];
const CIRCLES = ['near', 'near_any'];

/** A chip for each filter, however it was set; also for city, offer and order if the sentence states them. */
export function ActiveFilters() {
  const context = useExplorer();
  const { search, change } = context;
  const { values } = search;
  const parsed = useParsed(search.sentence);
  const stated = { ...parsed?.filters, ...(parsed?.sort ? { sort: parsed.sort } : {}) } as Readonly<
    Record<string, string>
  >;
  const isStated = (name: string): boolean => stated[name] === values.get(name);
  const chips = [...values].filter(
    ([name]) => name !== 'radius_m' && (isStated(name) || ![...ALWAYS, ...BESIDE].includes(name)),
  );
  const offer = values.get('listing_type') ?? '';
  const otherOffer = offer === 'rent' ? 'sale' : 'rent';
  const isOpen = parsed !== null && stated.listing_type === undefined;
  if (chips.length === 0 && !isOpen) return null;
  return (
    <ul class="chips" aria-label={texts.active_filters}>
      {chips.map(([name, value]) => {
        const label = titleOf(name);
        const words = parsed?.understood.find(({ parameter }) => parameter === name)?.words;
        const circle = circleText(name, values, isStated(name) ? parsed?.near_place : null);
        const text = valueText(context, name, value, isStated(name) ? words : undefined);
        return (
          <li key={name}>
            {circle ?? label}
            {circle !== null || text === null ? null : (
              <>
                : <bdi>{text}</bdi>
              </>
            )}
            {ALWAYS.includes(name) ? null : (
              <button type="button" aria-label={`${texts.remove}: ${label}`} onClick={() => change({ [name]: '' })}>
                ×
              </button>
            )}
          </li>
        );
      })}
      {isOpen ? (
        // The sentence leaves the offer open, so a sale price can be searched among rents.
        <li key="offer">
          {data.labels.listing_type}: {valueText(context, 'listing_type', offer)}
          <button type="button" class="plain" onClick={() => change({ listing_type: otherOffer })}>
            {valueText(context, 'listing_type', otherOffer)}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

const OTHERS: Readonly<Record<string, string>> = {
  ...texts.home_fields,
  developer_id: texts.developer,
  sort: texts.sort,
};

/** Attributes of a home to estimate and the developer of projects are no filters of listings. */
const titleOf = (name: string): string => data.labels[name] ?? OTHERS[name] ?? name;

/** Returns a filter as its chip says it, for example `Bedrooms: 3`. */
export function filterText(context: Context, name: string, value: string): string {
  const label = titleOf(name);
  const text = valueText(context, name, value);
  return text === null ? label : `${label}: ${text}`;
}

/** Returns a circle as its chip says it: `Within 800 m of King Saud University`. Null for other filters. */
function circleText(name: string, values: URLSearchParams, place: ParsedSentence['near_place'] = null): string | null {
  if (!CIRCLES.includes(name)) return null;
  const within = place === null ? `${data.labels[name]}: {distance}` : texts.within_of;
  return within
    .replace('{distance}', format.distance(radiusOf(values)))
    .replace('{place}', place === null ? '' : nameOf(place));
}

/** @param words words of the sentence, for a place without a name. Null for a shape without words */
function valueText(context: Context, name: string, value: string, words?: string): string | null {
  if (SHAPES.includes(name)) return words ?? null;
  if (name === 'sort') return labelOf('sorts', value);
  if (AMOUNTS.includes(name)) return format.sar(Number(value));
  const schema = data.filters.find((each) => each.name === name)?.schema;
  if (schema?.format === 'date-time') return format.day(dayOf(value));
  const options = schema ? optionsOf(context, name, schema) : [];
  const parts = value.split(',').map((part) => {
    const option = options.find((each) => each.value === part);
    return option?.text ?? (/^\d+(\.\d+)?$/.test(part) ? format.number(Number(part)) : part);
  });
  return format.list(parts);
}
