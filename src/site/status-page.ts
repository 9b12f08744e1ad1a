import type { Services } from '#src/services.ts';
import { timeOf } from './coverage-page.ts';
import { type Formatter, formatter } from './format.ts';
import { dataTable, type Html, html } from './html.ts';
import type { Incident } from './incidents.ts';
import type { Language } from './language.ts';
import type { Page } from './page.ts';
import { SERVICE_TEXTS } from './text/index.ts';

/** Sources are read twice a day, so two reads have failed after this number of hours. */
const LATE_HOURS = 25;

/** Returns the page with the readiness of this node, the age of each source and the incidents. Queries no listings. */
export async function statusPage(
  services: Services,
  language: Language,
  incidents: readonly Incident[],
): Promise<Page> {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const now = services.clock.now();
  const { opensearch, postgres } = await services.readiness.read();
  const sources = services.sourceClock.sources().map((name) => {
    const readAt = (services.sourceClock.lastSeen(name) ?? 0) * 1_000;
    return { name, readAt, isLate: now - readAt > LATE_HOURS * 3_600_000 };
  });
  const [kind, summary] =
    opensearch !== null || postgres !== null
      ? ['down', texts.status_down]
      : incidents.some(({ resolved_at }) => resolved_at === null)
        ? ['warning', texts.status_incident]
        : sources.some(({ isLate }) => isLate)
          ? ['warning', texts.status_late]
          : ['ok', texts.status_ok];
  const mark = (isGood: boolean, good: string, bad: string): Html =>
    html`<span class="${isGood ? 'state ok' : 'state bad'}">${isGood ? good : bad}</span>`;
  const component = (name: string, fault: string | null): Html =>
    html`<tr><th scope="row">${name}</th><td>${mark(fault === null, texts.state_ok, texts.state_down)}</td></tr>`;
  const rows = sources
    .toSorted((one, other) => one.readAt - other.readAt)
    .map(
      ({ name, readAt, isLate }) =>
        html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${timeOf(readAt, format.moment)}</td><td>${mark(!isLate, texts.on_time, texts.late)}</td></tr>`,
    );
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
${rows.length === 0 ? html`<p>${texts.no_sources}</p>` : dataTable(texts.sources, [texts.source, texts.last_read, texts.state], rows)}`,
  };
}

function incidentArticle(
  { started_at, resolved_at, title, text }: Incident,
  language: Language,
  format: Formatter,
): Html {
  const texts = SERVICE_TEXTS[language];
  const end =
    resolved_at === null
      ? texts.incident_open
      : html`${texts.incident_resolved} ${timeOf(Date.parse(resolved_at), format.moment)}`;
  return html`<article><h3>${title[language]}</h3><p class="note">${timeOf(Date.parse(started_at), format.moment)} · ${end}</p><p class="text">${text[language]}</p></article>`;
}
