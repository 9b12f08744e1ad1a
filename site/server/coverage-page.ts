import { SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { dataTable, Html, html } from '#src/documents/html.ts';
import { type Language, nameIn } from '#src/documents/language.ts';
import type { Coverage } from '#src/site-data/site-data.ts';
import { type Formatter, formatter, sourceName } from './format.ts';
import type { Page, Site } from './page.ts';

type Count = Pick<Coverage['cities'][number], 'listings' | 'rents' | 'changed'>;
type Cell = string | Html;

export async function coveragePage({ api, data }: Site, language: Language): Promise<Page> {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const [{ listings, cities, sources }, until, named] = await Promise.all([
    data.coverage(),
    data.officialUntil(),
    api.cities(),
  ]);
  const readTimes = new Map(data.sources().map(({ name, readAt }) => [name, readAt]));
  const names = new Map(named.map((city) => [city.slug, nameIn(language, city)]));
  const readAt = (of: readonly string[]): Html | string => {
    const latest = Math.max(0, ...of.map((source) => readTimes.get(source) ?? 0));
    return latest === 0 ? TEXTS[language].not_yet : timeOf(latest, format.hour);
  };
  const counts = ({ listings: all, rents, changed }: Count): Cell[] => [
    ...[all, rents, all - rents].map(format.number),
    changed === null ? '' : timeOf(changed, format.hour),
  ];
  const cityRows = cities.map((city) => [
    names.get(city.name) ?? city.name,
    ...counts(city),
    readAt(city.sources),
    format.number(city.sources.length),
  ]);
  const sourceRows = sources.map((source) => [
    html`<bdi>${sourceName(source.name)}</bdi>`,
    ...counts(source),
    readAt([source.name]),
    format.number(source.cities),
  ]);
  const common = [texts.listings, texts.for_rent, texts.for_sale, texts.last_change, texts.last_read];
  return {
    title: texts.coverage,
    path: '/coverage',
    body: html`<h1>${texts.coverage}</h1><p class="lead">${texts.coverage_lead}</p>
<p>${texts.all} <strong>${format.number(listings)}</strong>. ${texts.time_zone} ${texts.change_note}</p>
<h2 id="cities">${texts.by_city}</h2>
${timedTable(texts.by_city, [texts.city, ...common, texts.city_sources], cityRows, 'figures')}
<h2 id="sources">${texts.by_source}</h2>
${timedTable(texts.by_source, [texts.source, ...common, texts.source_cities], sourceRows, 'figures')}
<h2 id="official">${texts.official}</h2>
<p>${until === null ? texts.official_none : texts.official_until.replace('{day}', format.day(until))}</p>`,
  };
}

export const timeOf = (time: number | string, format: Formatter['moment']): Html =>
  html`<time datetime="${new Date(time).toISOString()}">${format(time)}</time>`;

/** Returns a table whose columns of times are stated once, above it, if all rows have the same time. */
export function timedTable(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  kind = '',
): Html {
  const textOf = (cell: Cell = ''): string =>
    cell instanceof Html ? cell.markup.replace(/ datetime="[^"]*"/, '') : cell;
  const repeated = [...columns.keys()].filter((at) => {
    const [first, ...others] = rows.map((row) => textOf(row[at]));
    return others.length > 0 && first?.startsWith('<time') === true && others.every((other) => other === first);
  });
  const isShown = (_: unknown, at: number): boolean => !repeated.includes(at);
  const body = rows.map((row) => {
    const [name = '', ...cells] = row.filter(isShown);
    return html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  });
  const times = repeated.map((at) => html`<p class="note">${columns[at] ?? ''}: ${rows[0]?.[at] ?? ''}</p>`);
  return html`${times}${dataTable(label, columns.filter(isShown), body, kind)}`;
}
