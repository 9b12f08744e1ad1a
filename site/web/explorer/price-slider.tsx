import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useExplorer } from './context.ts';
import { data, format, texts } from './page-data.ts';
import type { Changes } from './state.ts';

const [PRICE_MIN, PRICE_MAX] = ['price_min', 'price_max'] as const;
export const PRICES: readonly string[] = [PRICE_MIN, PRICE_MAX];
/** Debounce delay of the slider in milliseconds. */
const SETTLED_MS = 300;

export function PriceSlider({ fields }: { fields(readValue: (name: string) => string): JSX.Element[] }) {
  const { search, change, prices, total } = useExplorer();
  const { values } = search;
  const [moved, setMoved] = useState<Changes>({});
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // While the ranges of another search are loading, the slider keeps its thumbs and the focus.
  const place = [values.get('city'), values.get('listing_type')].join();
  const latest = useRef({ place, prices });
  if (total !== null || latest.current.place !== place) latest.current = { place, prices };
  const ranges = latest.current.prices;
  const stops = [...new Set(ranges.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))];
  const last = Math.max(stops.length - 1, 1);
  const readValue = (name: string): string => moved[name] ?? values.get(name) ?? '';
  const lowest = readValue(PRICE_MIN);
  const highest = readValue(PRICE_MAX);
  const above = stops.findIndex((stop) => stop >= Number(highest));
  const high = highest === '' || above < 0 ? last : Math.max(above, 1);
  const below = stops.findLastIndex((stop) => stop <= Number(lowest));
  const low = lowest === '' ? 0 : Math.min(Math.max(below, 0), high - 1);
  const tallest = Math.max(...ranges.map(({ count }) => count));

  const move = (name: string, thumb: HTMLInputElement): void => {
    const wanted = Number(thumb.value);
    const at = name === PRICE_MIN ? Math.min(wanted, high - 1) : Math.max(wanted, low + 1);
    thumb.value = String(at);
    // A thumb at its end of the slider sets no limit.
    const value = at === (name === PRICE_MIN ? 0 : last) ? '' : String(stops[at] ?? '');
    const changes = { ...moved, [name]: value };
    setMoved(changes);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setMoved({});
      change(changes);
    }, SETTLED_MS);
  };
  const thumb = (name: string, at: number) => (
    <input
      type="range"
      aria-label={data.labels[name]}
      aria-valuetext={readValue(name) === '' ? texts.any : format.sar(Number(readValue(name)))}
      min={0}
      max={last}
      value={at}
      disabled={stops.length < 2}
      onInput={(event) => move(name, event.currentTarget)}
    />
  );
  return (
    <div class="price-field">
      <div class="bars" aria-hidden="true">
        {stops.slice(0, -1).map((stop, at) => (
          <span
            key={stop}
            class={at >= low && at < high ? 'inside' : undefined}
            style={{ height: `${(100 * (ranges.find(({ from }) => from === stop)?.count ?? 0)) / tallest}%` }}
          />
        ))}
      </div>
      <div class="slider" style={{ '--low': low / last, '--high': high / last }}>
        {thumb(PRICE_MIN, low)}
        {thumb(PRICE_MAX, high)}
      </div>
      <div class="pair">{fields(readValue)}</div>
    </div>
  );
}
