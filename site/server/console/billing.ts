import { dataTable, factList, html } from '#src/documents/html.ts';
import { pathIn } from '#src/documents/language.ts';
import { titleOf } from '../pricing-page.ts';
import type { Rows } from './client.ts';
import {
  button,
  type ConsolePage,
  choice,
  field,
  filter,
  form,
  input,
  link,
  moment,
  more,
  operationName,
} from './parts.ts';
import type { OrganizationRow } from './usage.ts';

interface Statement
  extends Rows<{
    day: string;
    key_name: string | null;
    kind: string;
    operation: string;
    requests: number;
    units: number;
  }> {
  statement: {
    month: string;
    plan: string;
    units_per_month: number | null;
    units: number;
    test_units: number;
    unrecorded_units: number;
    overage_units: number;
    sar_per_1000_units: number;
    net_sar: number;
    vat_pct: number;
    vat_sar: number;
    total_sar: number;
  };
}

const MONTHS = 13;

export const billingPage: ConsolePage = {
  name: 'billing',
  async render(view) {
    const { client, texts, format, query, now, site } = view;
    const months = Array.from({ length: MONTHS }, (_, back) => monthBefore(now, back));
    const month = months.find((each) => each === query.get('month')) ?? months[0] ?? '';
    const [organization, statement, plans] = await Promise.all([
      client.data<OrganizationRow>(''),
      client.page('/statements', { month, cursor: query.get('cursor') }) as Promise<Statement>,
      site.data.plans(),
    ]);
    const { plan, next_plan: next, overage } = organization;
    const { statement: sums, data, pagination } = statement;
    const others = plans.filter(({ name }) => name !== plan).map(({ name }) => [name, titleOf(name)] as const);
    return html`${factList([
      [texts.plan, titleOf(plan)],
      [
        texts.quota,
        organization.limits.units_per_month === null
          ? texts.unlimited
          : format.number(organization.limits.units_per_month),
      ],
      [texts.overage_price, overage.sar_per_1000_units > 0 ? format.sar(overage.sar_per_1000_units) : texts.no_overage],
    ])}
${next && html`<div class="panel">${texts.next_plan} <bdi><strong>${titleOf(next.plan)}</strong></bdi>, <bdi>${moment(view, next.from)}</bdi> ${button(view, 'plan', texts.keep_plan, { plan })}</div>`}
${form(view, 'plan', texts.choose_plan, html`${choice('plan', texts.other_plan, others, next?.plan ?? null)}<small>${texts.choose_plan_hint} <a href="${pathIn(view.language, '/pricing')}">${texts.prices}</a></small>`)}
<h2>${texts.spend_cap}</h2><p class="note">${texts.spend_cap_hint}</p>
${form(view, 'cap', texts.save, input('cap', texts.spend_cap_sar, { type: 'number', value: overage.spend_cap_sar, required: true }))}
<h2>${texts.statement}</h2>
${filter(
  texts.show,
  choice(
    'month',
    texts.month,
    months.map((each) => [each, format.month(`${each}-01`)] as const),
    month,
  ),
)}
${factList([
  [texts.plan, titleOf(sums.plan)],
  [texts.quota, sums.units_per_month === null ? texts.unlimited : format.number(sums.units_per_month)],
  [texts.units_charged, format.number(sums.units)],
  [texts.units_over, format.number(sums.overage_units)],
  [texts.overage_price, format.sar(sums.sar_per_1000_units)],
  [texts.net, format.sar(sums.net_sar)],
  [html`${texts.vat} ${format.share(sums.vat_pct)}`.markup, format.sar(sums.vat_sar)],
  [texts.total, html`<strong>${format.sar(sums.total_sar)}</strong>`],
  [texts.test_units, format.number(sums.test_units)],
])}
<p class="note">${texts.statement_note}</p>
${sums.unrecorded_units > 0 && html`<p class="note">${format.count(texts.units_count, sums.unrecorded_units)}: ${texts.unrecorded}</p>`}
<p><a class="button" href="${link(view, 'billing/statement.csv', { month })}">${texts.download_csv}</a></p>
${
  data.length === 0
    ? html`<p>${texts.no_lines}</p>`
    : dataTable(
        texts.statement,
        [texts.groups.day, texts.groups.key, texts.groups.operation, texts.calls, texts.units],
        data.map(
          ({ day, key_name, operation, requests, units }) =>
            html`<tr><th scope="row">${format.shortDay(day)}</th><td><bdi>${key_name ?? texts.none}</bdi></td><td>${operationName(operation)}</td><td>${format.number(requests)}</td><td>${format.number(units)}</td></tr>`,
        ),
        'figures',
      )
}
${more(view, pagination.next_cursor)}`;
  },
  actions: {
    async plan({ client }, given) {
      const { status } = await client.post<{ status: string }>('/plan', { plan: field(given, 'plan') });
      return `/console/billing?done=${status}`;
    },
    async cap({ client }, given) {
      await client.post('/spend-cap', { spend_cap_sar: Number(field(given, 'cap')) });
    },
  },
};

/** Returns `YYYY-MM` in UTC. Pure. */
function monthBefore(now: number, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)).toISOString().slice(0, 7);
}
