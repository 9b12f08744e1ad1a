import { dataTable, factList, html } from '#src/documents/html.ts';
import { type ConsolePage, choice, filter, link, operationName, type View } from './parts.ts';
import type { ProjectRow } from './projects.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  plan: string;
  next_plan: { plan: string; from: string } | null;
  limits: { units_per_month: number | null; active_keys: number; projects: number };
  usage: { month: string; units: number; overage_units: number };
  overage: { allowed: boolean; sar_per_1000_units: number; spend_cap_sar: number };
  ip_allowlist: string[];
  request_logs: { retention_days: number; details: boolean };
}

interface Totals {
  total: { requests: number; units: number };
  groups: { id: string | null; name: string | null; requests: number; units: number }[];
}

const DAYS = ['7', '30', '90'];
const GROUPS = ['day', 'key', 'project', 'member', 'operation'] as const;

export const usagePage: ConsolePage = {
  name: 'usage',
  async render(view) {
    const { client, texts, format, query, now } = view;
    const days = DAYS.find((each) => each === query.get('days')) ?? '30';
    const group = GROUPS.find((each) => each === query.get('by')) ?? 'day';
    const [organization, projects, totals] = await Promise.all([
      client.data<OrganizationRow>(''),
      client.all<ProjectRow>('/projects'),
      client.data<Totals>('/usage/totals', { days, group_by: group }),
    ]);
    const { limits, usage, overage } = organization;
    const quota = limits.units_per_month;
    const capped = projects.filter(({ monthly_unit_cap }) => monthly_unit_cap !== null);
    const rows =
      group === 'day' ? totals.groups.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? 1 : -1)) : totals.groups;
    const most = Math.max(1, ...rows.map(({ units }) => units));
    return html`${factList([
      [texts.used_this_month, quota === null ? format.number(usage.units) : meter(view, usage.units, quota)],
      [texts.left, quota === null ? texts.unlimited : format.number(Math.max(0, quota - usage.units))],
      [texts.projection, format.number(projectedUnits(usage.units, now))],
      [texts.spend_cap, overage.sar_per_1000_units > 0 ? format.sar(overage.spend_cap_sar) : texts.no_overage],
    ])}
${
  capped.length > 0 &&
  html`<h2>${texts.caps}</h2>${factList(capped.map(({ name, units_this_month, monthly_unit_cap }) => [name, meter(view, units_this_month, monthly_unit_cap ?? 0)] as const))}`
}
<h2>${texts.who_used}</h2>
${filter(
  texts.show,
  choice(
    'by',
    texts.group_by,
    GROUPS.map((each) => [each, texts.groups[each]] as const),
    group,
  ),
  choice(
    'days',
    texts.period,
    DAYS.map((each) => [each, format.count(texts.days, Number(each))] as const),
    days,
  ),
)}
${dataTable(
  texts.who_used,
  [texts.groups[group], texts.calls, texts.units],
  rows.map(
    ({ name, requests, units }) =>
      html`<tr><th scope="row">${name === null ? texts.none : group === 'day' ? format.day(name) : group === 'operation' ? operationName(name) : html`<bdi>${name}</bdi>`}</th><td>${format.number(requests)}</td><td>${format.number(units)} <meter max="${most}" value="${units}">${units}</meter></td></tr>`,
  ),
  'figures',
)}
<p>${texts.total}: ${format.count(texts.units_count, totals.total.units)} · <a href="${link(view, 'billing')}">${texts.pages.billing}</a></p>`;
  },
};

const meter = ({ format, texts }: View, units: number, most: number) =>
  html`${format.number(units)} ${texts.of} ${format.number(most)} <meter max="${Math.max(1, most)}" value="${units}" high="${most * 0.8}">${units}</meter>`;

/** Units of the whole month if it goes on as it began; those of the first day count for a day at least. Pure. */
export function projectedUnits(units: number, now: number): number {
  const date = new Date(now);
  const [start, end] = [0, 1].map((months) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)) as [
    number,
    number,
  ];
  return Math.round((units * (end - start)) / Math.max(now - start, 86_400_000));
}
