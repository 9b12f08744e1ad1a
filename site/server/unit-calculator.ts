import type { ServiceTexts } from '#site/text/index.ts';
import type { PlanTerms } from '#site-data/index.ts';
import type { Formatter } from './format.ts';

export interface CalculatorRow {
  name: string;
  units: number;
  /** Results that cost `units`. Null if a call has a fixed price. */
  per: number | null;
  /** Whether calls are counted. Otherwise only results are, in total. */
  byCall: boolean;
  scope: string;
}

export type CalculatorPlan = Pick<PlanTerms, 'name' | 'scopes' | 'quota' | 'overageSar' | 'priceSar'>;

export interface Use {
  calls: number;
  results: number;
}

/** Part of a quota that may be exceeded before a larger plan is recommended. */
const SMALL_EXCESS = 0.1;

type PlanFit = ReturnType<typeof estimateUnits>['fits'][number];

export const unitsOfRow = ({ units, per }: CalculatorRow, { calls, results }: Use): number =>
  units * calls * (per === null ? 1 : Math.ceil(results / per));

export function estimateUnits(
  rows: readonly CalculatorRow[],
  plans: readonly CalculatorPlan[],
  uses: Readonly<Record<string, Use>>,
) {
  const used = rows.map((row) => ({ row, units: unitsOfRow(row, uses[row.name] ?? { calls: 0, results: 0 }) }));
  const units = used.reduce((sum, each) => sum + each.units, 0);
  const scopes = new Set(used.filter((each) => each.units > 0).map(({ row }) => row.scope));
  const fits = plans.map((plan) => {
    // Scopes that the plan lacks, and units beyond its quota.
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
  const possible = fits.filter(({ status }) => status !== 'missing' && status !== 'exceeded');
  const priced = possible.filter(({ plan, totalSar }) => totalSar !== null || plan.quota === null);
  // The possible plan with the lowest total or, if a price is on request, the first whose quota covers the use or is
  // exceeded by little.
  const isCovered = ({ plan, excess }: (typeof fits)[number]): boolean =>
    plan.quota === null || excess <= plan.quota * SMALL_EXCESS;
  const best =
    priced.length === possible.length
      ? priced.toSorted((one, other) => (one.totalSar ?? Infinity) - (other.totalSar ?? Infinity))[0]
      : (possible.find(isCovered) ?? possible.at(-1));
  return { units, fits, best: best?.plan.name ?? null };
}

export function describeFit(
  { status, missing, excess, excessSar }: PlanFit,
  { fit, scopes, and, unit_count }: ServiceTexts,
  format: Formatter,
): string {
  return fit[status]
    .replace('{scopes}', missing.map((scope) => scopes[scope as keyof typeof scopes] ?? scope).join(and))
    .replace('{sar}', format.sar(excessSar))
    .replace('{units}', format.count(unit_count, excess));
}

export function describeTotal(
  { status, totalSar, excessSar }: PlanFit,
  { free, on_request }: ServiceTexts,
  format: Formatter,
): string {
  if (status === 'missing' || status === 'exceeded') return '–';
  if (totalSar !== null) return totalSar === 0 ? free : format.sar(totalSar);
  return excessSar === 0 ? on_request : `${on_request} + ${format.sar(excessSar)}`;
}
