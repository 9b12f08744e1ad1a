import { useEffect, useRef } from 'preact/hooks';
import { estimatePart } from '#site/server/estimate.ts';
import type { HomeEstimate } from '#src/site-data/responses.ts';
import { useData } from './api-requests.ts';
import { useExplorer } from './context.ts';
import { Markup, Waiting } from './elements.tsx';
import { data, format, labelOf, texts } from './page-data.ts';
import { addressOfView, homeOf, isComplete } from './view-requests.ts';

const WORDS = { texts: data.shared, format, language: data.language };

/** The place of the home is chosen on the map, and its attributes in a form. */
export function EstimateView({ values }: { values: URLSearchParams }) {
  const { change } = useExplorer();
  const home = homeOf(values);
  const loaded = useData<HomeEstimate>(isComplete('estimate', values) ? addressOfView('estimate', values) : null);
  const { area, age } = texts.home_fields;
  const fields = [
    { name: 'area', label: area, min: 1, max: 1_000_000, required: true },
    { name: 'beds', label: data.labels.beds, min: 0, max: 20 },
    { name: 'age', label: age, min: 0, max: 100 },
  ];
  const names = ['property_type', ...fields.map(({ name }) => name)];
  const form = useRef<HTMLFormElement>(null);
  // Only when the described home changes, so that a click on the map keeps what is being typed.
  useEffect(() => {
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]') ?? [])
      field.value = home.get(field.name) ?? (field.name === 'property_type' ? data.homeTypes[0] : '');
  }, [names.map((name) => home.get(name)).join()]);
  return (
    <>
      <p class="note" role="status">
        {home.has('near')
          ? texts.home_placed
          : home.has('neighborhood_id')
            ? texts.home_in_neighborhood
            : texts.home_place}
      </p>
      <form
        class="home-form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget);
          change(Object.fromEntries(names.map((name) => [name, String(typed.get(name))])));
        }}
      >
        <label>
          {data.labels.property_type}
          <select name="property_type">
            {data.homeTypes.map((type) => (
              <option key={type} value={type}>
                {labelOf('property_types', type)}
              </option>
            ))}
          </select>
        </label>
        {fields.map(({ name, label, ...limits }) => (
          <label key={name}>
            {label}
            <input type="number" name={name} step={name === 'area' ? 'any' : 1} {...limits} />
          </label>
        ))}
        <button type="submit" class="main">
          {texts.home_estimate}
        </button>
      </form>
      {loaded.data ? <Markup of={estimatePart(loaded.data, WORDS)} /> : <Waiting loaded={loaded} />}
    </>
  );
}
