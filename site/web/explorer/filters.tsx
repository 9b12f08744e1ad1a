import { useMemo, useState } from 'preact/hooks';
import type { ExplorerParameter } from '#site/explorer-data.ts';
import type { Context } from './context.ts';

export interface Option {
  value: string;
  text: string;
}

/** Fields that are always visible. All other search parameters are under "More filters". */
const FIRST = ['city', 'listing_type', 'property_type', 'neighborhood_id', 'beds', 'price_min', 'price_max', 'q'];
/** Filters whose values have counts. The API counts at most ten. */
export const COUNTED = [
  'listing_type',
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'rent_frequency',
  'amenities',
  'furnished',
  'floor',
  'advertiser_type',
];
/** Numbers that are offered as buttons. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  beds: ['1', '2', '3', '4', '5', '6'],
  bathrooms: ['1', '2', '3', '4', '5', '6'],
};
/** For each parameter, the list in `GET /enums` that names its values. */
const LISTS: Readonly<Record<string, string>> = {
  listing_type: 'listing_types',
  listing_category: 'listing_categories',
  property_type: 'property_types',
  rent_frequency: 'rent_frequencies',
  amenities: 'amenities',
  amenities_exclude: 'amenities',
  floor: 'floors',
  advertiser_type: 'advertiser_types',
};

interface Props {
  context: Context;
  values: URLSearchParams;
  set(name: string, value: string): void;
  clear(): void;
}

/** Renders fields for all search parameters, generated from their schemas in the OpenAPI document. */
export function Filters({ context, values, set, clear }: Props) {
  const { data, texts } = context;
  // Neighborhoods belong to a city.
  const fields = data.filters.filter(
    ({ hasField, name }) => hasField && (values.has('city') || !name.startsWith('neighborhood_id')),
  );
  const first = FIRST.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const rest = fields.filter(({ name }) => !FIRST.includes(name));
  const chosen = rest.filter(({ name }) => values.has(name)).length;
  const field = (parameter: ExplorerParameter) => (
    <Field
      key={parameter.name}
      context={context}
      parameter={parameter}
      value={values.get(parameter.name) ?? ''}
      set={set}
    />
  );
  return (
    <form class="filters" aria-label={texts.search} onSubmit={(event) => event.preventDefault()}>
      <div class="fields">{first.map(field)}</div>
      <details open={chosen > 0}>
        <summary>
          {texts.more_filters}
          {chosen > 0 ? ` (${chosen})` : ''}
        </summary>
        <div class="fields">{rest.map(field)}</div>
      </details>
      <button type="button" onClick={clear}>
        {texts.clear}
      </button>
    </form>
  );
}

interface FieldProps {
  context: Context;
  parameter: ExplorerParameter;
  value: string;
  set(name: string, value: string): void;
}

function Field({ context, parameter: { name, schema, required, description }, value, set }: FieldProps) {
  const { data, texts, format, countOf } = context;
  // Hundreds of checkboxes are rendered only when the list is open.
  const [open, setOpen] = useState(false);
  const label = data.labels[name] ?? name;
  const id = `filter-${name}`;
  const { cities, neighborhoods, enums } = context;
  const options = useMemo(() => optionsOf(context, name, schema), [cities, neighborhoods, enums]);
  const chosen = value === '' ? [] : value.split(',');
  const toggle = (option: string): void => {
    const values = new Set(chosen);
    if (!values.delete(option)) values.add(option);
    set(name, [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join());
  };
  const numbers = NUMBERS[name];
  if (numbers)
    return (
      <fieldset class="field numbers" title={description}>
        <legend>{label}</legend>
        {[...new Set([...numbers, ...chosen])].map((number) => {
          const count = countOf(name, number);
          return (
            <button
              type="button"
              key={number}
              aria-pressed={chosen.includes(number)}
              class={count === 0 ? 'empty' : undefined}
              onClick={() => toggle(number)}
            >
              {number}
              {count === null ? null : (
                <>
                  {' '}
                  <small>{format.number(count)}</small>
                </>
              )}
            </button>
          );
        })}
      </fieldset>
    );
  if (schema.type === 'array' && options.length > 0) {
    return (
      <details class="choice" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary title={description}>
          <span class="name">{label}</span>
          <span class="value">
            {chosen.length === 0
              ? texts.any
              : chosen.length === 1
                ? options.find((each) => each.value === chosen[0])?.text
                : `${chosen.length} ${texts.chosen}`}
          </span>
        </summary>
        <fieldset>
          <legend class="visually-hidden">{label}</legend>
          {(open ? options : []).map((option) => {
            const count = countOf(name, option.value);
            return (
              <label key={option.value} class={count === 0 ? 'empty' : undefined}>
                <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />{' '}
                {option.text} {count === null ? null : <small>{format.number(count)}</small>}
              </label>
            );
          })}
        </fieldset>
      </details>
    );
  }
  const change = (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value.trim());
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {options.length > 0 ? (
        <select id={id} title={description} value={value} onChange={change}>
          {required ? null : <option value="">{texts.any}</option>}
          {options.map((option) => {
            const count = countOf(name, option.value);
            return (
              <option key={option.value} value={option.value}>
                {option.text}
                {count === null ? '' : ` (${format.number(count)})`}
              </option>
            );
          })}
        </select>
      ) : (
        <input
          id={id}
          title={description}
          value={value}
          onChange={change}
          dir={name === 'q' || name === 'compound' ? 'auto' : undefined}
          inputMode={schema.type === 'number' || schema.type === 'integer' ? 'numeric' : undefined}
          placeholder={schema.format === 'date-time' ? '2026-01-31T00:00:00Z' : undefined}
        />
      )}
    </p>
  );
}

/** Returns a field's options, from its schema or from the API's places and sources. */
export function optionsOf(
  { data, texts, cities, neighborhoods, enums, nameOf }: Context,
  name: string,
  schema: ExplorerParameter['schema'],
): Option[] {
  const { compare } = new Intl.Collator(data.language);
  const byText = (a: Option, b: Option): number => compare(a.text, b.text);
  if (name === 'city')
    return [
      { value: '', text: texts.every_city },
      ...cities.map((city) => ({ value: city.slug, text: nameOf(city) })).sort(byText),
    ];
  if (name === 'neighborhood_id' || name === 'neighborhood_id_exclude')
    return neighborhoods.map((each) => ({ value: String(each.id), text: nameOf(each) })).sort(byText);
  if (name === 'source' || name === 'source_exclude')
    return (enums?.sources ?? []).map((source) => ({ value: source, text: source }));
  if (schema.type === 'boolean')
    return [
      { value: 'true', text: texts.yes },
      { value: 'false', text: texts.no },
    ];
  const items = schema.type === 'array' ? (schema.items as ExplorerParameter['schema'] | undefined) : schema;
  const values = (items?.enum ?? []) as readonly unknown[];
  const names = enums?.names[LISTS[name] ?? ''] ?? {};
  return values.map((value) => {
    const named = names[String(value)];
    return { value: String(value), text: named ? nameOf(named) : String(value) };
  });
}
