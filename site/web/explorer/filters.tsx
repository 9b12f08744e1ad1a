import { useEffect, useMemo, useState } from 'preact/hooks';
import { foldText } from '#domain/fold.ts';
import { readAmount } from '#site/server/amounts.ts';
import type { ExplorerParameter } from '#site/server/explorer-page.ts';
import type { CallFailed } from './api-requests.ts';
import { useExplorer } from './context.ts';
import { dayOf, MIDNIGHT, type Option, optionsOf } from './filter-options.ts';
import { data, format, labelOf, texts } from './page-data.ts';
import { PRICES, PriceSlider } from './price-slider.tsx';
import { isOfSales, readSearch } from './state.ts';

/** Fields that are always visible. */
const FIRST = ['city', 'listing_type', 'property_type', 'neighborhood_id', 'beds', 'price_min', 'price_max'];
/** Screens on which the filters are one row, above the results, and the others in a panel over them. */
const IS_WIDE = '(min-width: 88rem)';
/** Fields with a button for each number. */
const NUMBERED = ['beds', 'bathrooms'];
const NUMBERS = ['1', '2', '3', '4', '5', '6'];
/** Filters as people think of them, after the first. A filter in no group is in the last. */
const GROUPS = {
  rooms: ['bathrooms', 'livings_min', 'furnished', 'floor'],
  size: ['area_min', 'area_max'],
  terms: ['rent_frequency', 'verified', 'advertiser_type'],
  amenities: ['amenities', 'amenities_exclude'],
  building: ['listing_category', 'max_age', 'compound', 'in_compound'],
  freshness: ['updated_since', 'modified_since', 'days_on_market_min', 'days_on_market_max'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Group = keyof typeof GROUPS;
/** The buttons for numbers set them. */
const OF_BUTTONS = ['beds', 'bathrooms'].flatMap((name) => [`${name}_min`, `${name}_max`]);
/** Renders a field for each parameter from its schema in the OpenAPI document. */
export function Filters({ failure, close }: { failure: CallFailed | null; close(): void }) {
  const { search, latest, go, total } = useExplorer();
  const { values } = search;
  // Without a city, there is no list of neighborhoods and directions.
  const fields = data.filters.filter(
    ({ hasField, name }) => hasField && (values.has('city') || !/^(?:neighborhood|direction)_id/.test(name)),
  );
  const first = FIRST.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const rest = fields.filter(({ name }) => !FIRST.includes(name) && !OF_BUTTONS.includes(name));
  const grouped = Object.entries(GROUPS).map(([group, names]: [string, readonly string[]]) => ({
    title: texts.filter_groups[group as Group],
    fields: rest.filter(({ name }) => names.includes(name)),
  }));
  const others = rest.filter((each) => !grouped.some((group) => group.fields.includes(each)));
  const chosen = rest.filter(({ name }) => values.has(name)).length;
  const field = (parameter: ExplorerParameter, value = values.get(parameter.name) ?? '') => {
    const { name } = parameter;
    const refused = failure?.param === name ? failure.message : null;
    const isFixed = name === 'listing_type' && isOfSales(search.view);
    return (
      <Field key={name} parameter={parameter} value={isFixed ? 'sale' : value} refused={refused} isFixed={isFixed} />
    );
  };
  const fieldsOf = (parameters: readonly ExplorerParameter[]) => {
    const prices = parameters.filter(({ name }) => PRICES.includes(name));
    return parameters.flatMap((parameter) => {
      if (!prices.includes(parameter)) return field(parameter);
      if (parameter !== prices[0]) return [];
      return (
        <PriceSlider key="price" fields={(readValue) => prices.map((each) => field(each, readValue(each.name)))} />
      );
    });
  };
  return (
    <form class="filters" tabIndex={-1} aria-label={texts.search} onSubmit={(event) => event.preventDefault()}>
      <div class="fields">{fieldsOf(first)}</div>
      <div class="more">
        <details open={chosen > 0 && !matchMedia(IS_WIDE).matches}>
          <summary>
            {texts.more_filters}
            {chosen > 0 ? ` (${chosen})` : ''}
          </summary>
          <div class="groups">
            {[...grouped, { title: texts.filter_groups.others, fields: others }].map((group) => (
              <fieldset key={group.title} class="group">
                <legend>{group.title}</legend>
                <div class="fields">{fieldsOf(group.fields)}</div>
              </fieldset>
            ))}
          </div>
        </details>
        <button type="button" onClick={() => go({ ...readSearch(''), view: latest().view })}>
          {texts.clear}
        </button>
      </div>
      {search.view === 'listings' ? <SortField /> : null}
      <button type="button" class="main close-filters" onClick={close}>
        {total === null ? texts.show_list : format.count(texts.show_listings, total)}
      </button>
    </form>
  );
}

/** In the row of the filters on wide screens, and above the results on others. */
export function SortField() {
  const { search, change } = useExplorer();
  const sorts = data.filters.find(({ name }) => name === 'sort')?.schema.enum as readonly string[] | undefined;
  const offered = sorts?.filter((sort) => sort !== 'distance' || search.values.has('near'));
  return (
    <label class="sort">
      {texts.sort}{' '}
      <select
        value={search.values.get('sort') ?? 'newest'}
        onChange={(event) => change({ sort: event.currentTarget.value })}
      >
        {offered?.map((sort) => (
          <option key={sort} value={sort}>
            {labelOf('sorts', sort)}
          </option>
        ))}
      </select>
    </label>
  );
}

const Count = ({ of }: { of: number | null }) => (of === null ? null : <small>{format.number(of)}</small>);

const emptyClass = (count: number | null): string | undefined => (count === 0 ? 'empty' : undefined);

/** Number of options above which a list has a field to find one. */
const LONG = 15;

interface FieldProps {
  parameter: ExplorerParameter;
  value: string;
  /** Message of the API about the value. */
  refused: string | null;
  /** Whether the view allows only this value. */
  isFixed: boolean;
}

interface CountedOption extends Option {
  count: number | null;
}

interface ChoiceProps extends FieldProps {
  label: string;
  options: readonly CountedOption[];
}

function Field(props: FieldProps) {
  const { name, schema } = props.parameter;
  const context = useExplorer();
  const { cities, neighborhoods, countOf } = context;
  const label = data.labels[name] ?? name;
  const all = useMemo(() => optionsOf(context, name, schema), [cities, neighborhoods]);
  const options = all.map((option) => ({ ...option, count: countOf(name, option.value) }));
  if (NUMBERED.includes(name)) return <NumberButtons {...props} label={label} />;
  if (schema.type === 'array' && options.length > 0) return <Choices {...props} label={label} options={options} />;
  return <SingleValue {...props} label={label} options={options} />;
}

const chosenOf = (value: string): string[] => (value === '' ? [] : value.split(','));

/** Adds a value to a list of values, or removes it. */
function toggled(value: string, option: string): string {
  const values = new Set(chosenOf(value));
  if (!values.delete(option)) values.add(option);
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join();
}

const faultId = (name: string): string => `filter-${name}-fault`;

const Fault = ({ name, text }: { name: string; text: string | null }) =>
  text && (
    <span class="fault" id={faultId(name)}>
      {text}
    </span>
  );

/** A button for each number, and one for at least the first that is chosen. */
function NumberButtons({ parameter: { name, description }, value, refused, label }: Omit<ChoiceProps, 'options'>) {
  const { search, change, countOf } = useExplorer();
  const chosen = chosenOf(value);
  const minimum = `${name}_min`;
  const least = search.values.get(minimum);
  const from = least ?? chosen[0];
  return (
    <fieldset class="field numbers" title={description}>
      <legend>{label}</legend>
      {[...new Set([...NUMBERS, ...chosen])].map((number) => (
        <button
          type="button"
          key={number}
          aria-pressed={chosen.includes(number)}
          class={emptyClass(countOf(name, number))}
          onClick={() => change({ [name]: toggled(value, number), [minimum]: '' })}
        >
          {number} <Count of={countOf(name, number)} />
        </button>
      ))}
      {from !== undefined && data.filters.some((each) => each.name === minimum) ? (
        <button
          type="button"
          class="or-more"
          aria-pressed={least !== null}
          onClick={() => change(least === null ? { [name]: '', [minimum]: from } : { [minimum]: '' })}
        >
          {texts.at_least.replace('{n}', from)}
        </button>
      ) : null}
      <Fault name={name} text={refused} />
    </fieldset>
  );
}

function Choices({ parameter: { name, description }, value, refused, label, options }: ChoiceProps) {
  const { change } = useExplorer();
  // A list can have hundreds of checkboxes.
  const [open, setOpen] = useState(false);
  const [sought, setSought] = useState('');
  const chosen = chosenOf(value);
  const folded = foldText(sought.trim());
  const found = options
    .filter(({ text }) => folded === '' || foldText(text).includes(folded))
    .toSorted((a, b) =>
      options.length > LONG ? Number(chosen.includes(b.value)) - Number(chosen.includes(a.value)) : 0,
    );
  const [only] = options.filter((option) => option.value === chosen[0]);
  const summary = chosen.length === 1 ? only?.text : `${chosen.length} ${texts.chosen}`;
  return (
    <details class="choice" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={description}>
        <span class="name">{label}</span>
        <span class="value">{chosen.length === 0 ? texts.any : summary}</span>
      </summary>
      <fieldset>
        <legend class="visually-hidden">{label}</legend>
        {open && options.length > LONG ? (
          <input
            type="search"
            class="find"
            aria-label={`${texts.find}: ${label}`}
            placeholder={texts.find}
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        ) : null}
        {(open ? found : []).map((option) => (
          <label key={option.value} class={emptyClass(option.count)}>
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={() => change({ [name]: toggled(value, option.value) })}
            />{' '}
            {option.text} <Count of={option.count} />
          </label>
        ))}
      </fieldset>
      <Fault name={name} text={refused} />
    </details>
  );
}

function SingleValue({ parameter, value, refused, isFixed, label, options }: ChoiceProps) {
  const { name, schema, required, description } = parameter;
  const { change } = useExplorer();
  const id = `filter-${name}`;
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const isDate = schema.format === 'date-time';
  // Text that is not sent, because it is being typed or is no number.
  const [typed, setTyped] = useState<{ text: string; isWrong: boolean } | null>(null);
  useEffect(() => setTyped(null), [value]);
  const fault = typed?.isWrong ? texts.fault_number : refused;
  const control = {
    id,
    title: description,
    disabled: isFixed,
    value: typed?.text ?? (isDate ? dayOf(value) : value),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const text = currentTarget.value.trim();
      const read = isNumber && text !== '' ? readAmount(text) : text;
      setTyped(read === null ? { text, isWrong: true } : null);
      if (read === null) return;
      currentTarget.value = read;
      change({ [name]: isDate && read !== '' ? `${read}${MIDNIGHT}` : read });
    },
    ...(fault !== null && { 'aria-invalid': true, 'aria-describedby': faultId(name) }),
  };
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {options.length > 0 ? (
        <select {...control}>
          {required ? null : <option value="">{texts.any}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
              {option.count === null ? '' : ` (${format.number(option.count)})`}
            </option>
          ))}
        </select>
      ) : isDate ? (
        <input {...control} type="date" />
      ) : (
        <input
          {...control}
          onInput={({ currentTarget }) => setTyped({ text: currentTarget.value, isWrong: typed?.isWrong ?? false })}
          dir={name === 'q' || name === 'compound' ? 'auto' : undefined}
          inputMode={isNumber ? 'decimal' : undefined}
        />
      )}
      <Fault name={name} text={fault} />
    </p>
  );
}
