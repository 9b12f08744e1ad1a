import { SERVICE_TEXTS } from '#site/text/index.ts';
import { dataTable, type Html, html } from '#src/documents/html.ts';
import type { Language } from '#src/documents/language.ts';
import type { ReadinessReport } from '#src/site-data/responses.ts';
import type { Incident } from '#src/site-data/site-data.ts';
import type { Api } from './api-client.ts';
import { timedTable, timeOf } from './coverage-page.ts';
import { type Formatter, formatter } from './format.ts';
import type { Page, Site } from './page.ts';

/** Sources are read twice a day, so two reads have failed after this number of hours. */
const LATE_HOURS = 25;

export async function statusPage({ api, data, clock }: Site, language: Language): Promise<Page> {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const now = clock.now();
  const [{ opensearch, postgres }, incidents] = await Promise.all([readReadiness(api), data.incidents()]);
  const sources = data.sources().map((source) => ({ ...source, isLate: now - source.readAt > LATE_HOURS * 3_600_000 }));
  const [kind, summary] =
    opensearch !== 'ok' || postgres !== 'ok'
      ? ['down', texts.status_down]
      : incidents.some(({ resolved_at }) => resolved_at === null)
        ? ['warning', texts.status_incident]
        : sources.some(({ isLate }) => isLate)
          ? ['warning', texts.status_late]
          : ['ok', texts.status_ok];
  const mark = (isGood: boolean, good: string, bad: string): Html =>
    html`<span class="${isGood ? 'state ok' : 'state bad'}">${isGood ? good : bad}</span>`;
  const component = (name: string, state: string): Html =>
    html`<tr><th scope="row">${name}</th><td>${mark(state === 'ok', texts.state_ok, texts.state_down)}</td></tr>`;
  const rows = sources
    .toSorted((one, other) => one.readAt - other.readAt)
    .map(({ name, readAt, isLate }) => [
      html`<bdi>${name}</bdi>`,
      timeOf(readAt, format.moment),
      mark(!isLate, texts.on_time, texts.late),
    ]);
  return {
    title: texts.status,
    description: texts.status_lead,
    path: '/status',
    headers: { 'Cache-Control': 'no-cache' },
    body: html`<h1>${texts.status}</h1>
<p class="summary ${kind ?? ''}"><strong>${summary ?? ''}</strong><small>${texts.status_checked} ${timeOf(now, format.moment)}</small></p>
<h2 id="components">${texts.components}</h2>
${dataTable(texts.components, [texts.component, texts.state], [component(texts.opensearch, opensearch), component(texts.postgres, postgres)])}
<h2 id="incidents">${texts.incidents}</h2>
${incidents.length === 0 ? html`<p>${texts.no_incidents}</p>` : incidents.map((incident) => incidentArticle(incident, language, format))}
<h2 id="sources">${texts.sources}</h2>
<p class="note">${texts.sources_note}</p>
${rows.length === 0 ? html`<p>${texts.no_sources}</p>` : timedTable(texts.sources, [texts.source, texts.last_read, texts.state], rows)}`,
  };
}

/** A node that is not ready reports its state with status 503. */
async function readReadiness(api: Api): Promise<ReadinessReport> {
  const { text } = await api.send('/readyz');
  return (JSON.parse(text) as { data: ReadinessReport }).data;
}

function incidentArticle(
  { started_at, resolved_at, title, text }: Incident,
  language: Language,
  format: Formatter,
): Html {
  const texts = SERVICE_TEXTS[language];
  const end =
    resolved_at === null ? texts.incident_open : html`${texts.incident_resolved} ${timeOf(resolved_at, format.moment)}`;
  return html`<article><h3>${title[language]}</h3><p class="note">${timeOf(started_at, format.moment)} · ${end}</p><p class="text">${text[language]}</p></article>`;
}
