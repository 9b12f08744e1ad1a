import { SERVICE_TEXTS, type ServiceTexts, SIGN_IN_TEXTS } from '#site/text/index.ts';
import { dataTable, type Html, html, withCode } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { EXPORT_PRICE, PRICES } from '#src/metering/prices.ts';
import type { PlanTerms } from '#src/site-data/site-data.ts';
import { type Formatter, formatter } from './format.ts';
import type { Page, Site } from './page.ts';

export type CalculatorRow = ReturnType<typeof row>;

export type CalculatorPlan = Pick<PlanTerms, 'name' | 'scopes' | 'quota' | 'overageSar' | 'priceSar'>;

const MAX_COUNT = 1_000_000_000;

/** @param calls in a month @param results of each call. `per` results cost `units`; null if a call has a fixed price. */
const row = (
  name: string,
  scope: string,
  { units, per }: { units: number; per?: number },
  calls = 0,
  results = per ?? 1,
) => ({ name, scope, units, per: per ?? null, calls, results });

/** Calls and their prices, with an example of their use. */
export const ROWS: readonly CalculatorRow[] = [
  row('search', 'listings', PRICES.search, 10_000, 20),
  row('batch', 'listings', PRICES.batch),
  row('listing', 'listings', PRICES.listing, 5_000),
  row('market', 'market', PRICES.market, 1_000),
  row('position', 'analytics', PRICES.price_band),
  row('analysis', 'analytics', PRICES.comparables),
  row('estimate', 'analytics', PRICES.estimate),
  row('deals', 'analytics', PRICES.deals),
  row('projects', 'projects', PRICES.projects),
  row('exports', 'exports', { units: EXPORT_PRICE.units, per: EXPORT_PRICE.perRows }),
];

export async function pricingPage({ config, data }: Site, language: Language, query: URLSearchParams): Promise<Page> {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const plans = await data.plans();
  return {
    title: texts.pricing,
    path: '/pricing',
    section: 'pricing',
    body: html`<h1>${texts.pricing}</h1><p class="lead">${texts.pricing_lead}</p>
<h2 id="plans">${texts.plans}</h2>
${planTable(plans, texts, format)}
<p class="note">${texts.vat}${config.contactUrl === null ? null : html` <a href="${config.contactUrl}">${texts.request_plan}</a>`}</p>
<h2 id="calculator">${texts.calculator}</h2>
<p>${texts.calculator_lead}</p>
${calculator(plans, readRows(query, plans), language)}
<h2 id="key">${texts.get_key}</h2>
<p>${config.hasSelfService ? SIGN_IN_TEXTS[language].sign_up_lead : texts.get_key_text}</p>
${config.hasSelfService && html`<p><a class="button" href="${pathIn(language, '/sign-up')}">${SIGN_IN_TEXTS[language].sign_up}</a></p>`}
<p>${config.contactUrl === null ? html`${withCode(texts.get_key_ask)}` : html`<a class="button" href="${config.contactUrl}">${texts.get_key_write}</a>`}</p>`,
  };
}

export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function planTable(plans: readonly PlanTerms[], texts: ServiceTexts, format: Formatter): Html {
  const scopeTexts: Readonly<Record<string, string>> = texts.scopes;
  const columns = [texts.plan, texts.price, texts.per_month, texts.per_minute, texts.page_size, texts.overage];
  const number = (value: number | null): string => (value === null ? texts.by_agreement : format.number(value));
  const lines = plans.map(({ name, priceSar, quota, perMinute, pageSize, overageSar, scopes }, at) => {
    // Each plan includes the plan before it.
    const added = scopes
      .filter((scope) => scope !== 'reference' && !plans[at - 1]?.scopes.includes(scope))
      .map((scope) => scopeTexts[scope]);
    const price = priceSar === null ? texts.on_request : priceSar === 0 ? texts.free : format.sar(priceSar);
    return html`<tr><th scope="row">${titleOf(name)}<small>${at === 0 ? '' : '+ '}${added.join(texts.and)}</small></th><td>${price}</td><td>${number(quota)}</td><td>${quota === null ? texts.by_agreement : number(perMinute)}</td><td>${quota === null ? texts.by_agreement : format.number(pageSize)}</td><td>${overageSar === null ? texts.overage_none : format.sar(overageSar)}</td></tr>`;
  });
  return dataTable(texts.plans, columns, lines, 'figures');
}

/** Reads the calculator's values from a query such as `search=100&search_results=20`. */
function readRows(query: URLSearchParams, plans: readonly PlanTerms[]) {
  const corrected: Corrected[] = [];
  if (!ROWS.some(({ name }) => query.has(name) || query.has(`${name}_results`))) return { rows: ROWS, corrected };
  const count = (row: CalculatorRow, of: Corrected['of'], missing: number, most: number): number => {
    const given = query.get(of === 'calls' ? row.name : `${row.name}_results`) || String(missing);
    const number = Math.floor(Number(given));
    const value = Number.isFinite(number) ? Math.min(most, Math.max(0, number)) : 0;
    if (String(value) !== given.trim()) corrected.push({ row, of, given, value });
    return value;
  };
  const rows = ROWS.map((each) => ({
    ...each,
    calls: count(each, 'calls', 0, MAX_COUNT),
    results: count(each, 'results', each.per ?? 1, mostResults(each, plans)),
  }));
  return { rows, corrected };
}

/** A value that the calculator does not accept, and the value that it uses. */
interface Corrected {
  row: CalculatorRow;
  of: 'calls' | 'results';
  given: string;
  value: number;
}

/** A file of an export has all rows, and a page those of the plan with the largest pages. */
const mostResults = ({ name }: CalculatorRow, plans: readonly PlanTerms[]): number =>
  name === 'exports' ? MAX_COUNT : Math.max(...plans.map(({ pageSize }) => pageSize));

function calculator(
  plans: readonly PlanTerms[],
  { rows, corrected }: ReturnType<typeof readRows>,
  language: Language,
): Html {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const kinds: Readonly<Record<string, string>> = texts.kinds;
  const estimate = estimateUnits(rows, plans);
  const field = (name: string, label: string, value: number, most = MAX_COUNT): Html =>
    html`<input type="number" name="${name}" value="${value}" min="0" max="${most}" step="1" inputmode="numeric" dir="ltr" aria-label="${label}">`;
  const lines = rows.map((each) => {
    const { name, per, units, calls, results } = each;
    const kind = kinds[name] ?? name;
    const cost = per === null ? texts.cost_fixed : texts.cost_per;
    return html`<tr><th scope="row">${kind}<small>${cost.replace('{units}', format.count(texts.unit_count, units)).replace('{per}', format.number(per ?? 1))}</small></th>
<td>${field(name, `${kind}: ${texts.calls}`, calls)}</td>
<td>${per === null ? null : field(`${name}_results`, `${kind}: ${texts.results}`, results, mostResults(each, plans))}</td>
<td>${format.number(unitsOfRow(each))}</td></tr>`;
  });
  const faults = corrected.map(
    ({ row: { name }, of, given, value }) =>
      html`<li>${texts.corrected
        .replace('{field}', format.list([kinds[name] ?? name, texts[of]]))
        .replace('{given}', () => `\u2066${given.slice(0, 40)}\u2069`)
        .replace('{value}', format.number(value))}</li>`,
  );
  const fits = estimate.fits.map(
    (fit) =>
      html`<tr data-plan="${fit.plan.name}"><th scope="row">${titleOf(fit.plan.name)}</th><td>${describeFit(fit, texts, format)}</td><td>${describeTotal(fit, texts, format)}</td></tr>`,
  );
  return html`<form class="calculator" method="get" action="#calculator">
${faults.length > 0 && html`<ul class="problem" role="alert">${faults}</ul>`}
${dataTable(texts.calculator, [texts.call, texts.calls, texts.results, texts.units], lines)}
<p class="total">${texts.total} <strong id="units">${format.count(texts.unit_count, estimate.units)}</strong> <button class="main" type="submit">${texts.calculate}</button></p>
</form>
${dataTable(texts.your_use, [texts.plan, texts.your_use, texts.month_cost], fits, 'fits')}`;
}

type PlanFit = ReturnType<typeof estimateUnits>['fits'][number];

const unitsOfRow = ({ units, per, calls, results }: CalculatorRow): number =>
  units * calls * (per === null ? 1 : Math.ceil(results / per));

export function estimateUnits(rows: readonly CalculatorRow[], plans: readonly CalculatorPlan[]) {
  const units = rows.reduce((sum, each) => sum + unitsOfRow(each), 0);
  const scopes = new Set(rows.flatMap((each) => (unitsOfRow(each) > 0 ? each.scope : [])));
  const fits = plans.map((plan) => {
    const missing = [...scopes].filter((scope) => !plan.scopes.includes(scope));
    const excess = plan.quota === null ? 0 : Math.max(0, units - plan.quota);
    const excessSar = (excess / 1_000) * (plan.overageSar ?? 0);
    const within = plan.quota === null ? 'agreement' : 'covered';
    const beyond = plan.overageSar === null ? 'exceeded' : 'overage';
    const status: keyof ServiceTexts['fit'] = missing.length > 0 ? 'missing' : excess === 0 ? within : beyond;
    const isPossible = status !== 'missing' && status !== 'exceeded';
    return {
      plan,
      status,
      missing,
      excess,
      excessSar,
      // Price and overage; null if the plan does not fit or its price is on request.
      totalSar: isPossible && plan.priceSar !== null ? plan.priceSar + excessSar : null,
    };
  });
  return { units, fits };
}

function describeFit(
  { status, missing, excess, excessSar }: PlanFit,
  { fit, scopes, and, unit_count }: ServiceTexts,
  format: Formatter,
): string {
  return fit[status]
    .replace('{scopes}', missing.map((scope) => scopes[scope as keyof typeof scopes] ?? scope).join(and))
    .replace('{sar}', format.sar(excessSar))
    .replace('{units}', format.count(unit_count, excess));
}

function describeTotal(
  { status, totalSar, excessSar }: PlanFit,
  { free, on_request }: ServiceTexts,
  format: Formatter,
): string {
  if (status === 'missing' || status === 'exceeded') return '–';
  if (totalSar !== null) return totalSar === 0 ? free : format.sar(totalSar);
  return excessSar === 0 ? on_request : `${on_request} + ${format.sar(excessSar)}`;
}
