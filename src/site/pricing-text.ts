import type { Formatter } from './format.ts';
import type { ServiceTexts } from './text/service.ts';
import type { PlanFit } from './unit-calculator.ts';

/** The texts of the calculator that change with the input. */
export type CalculatorTexts = Pick<ServiceTexts, 'fit' | 'and' | 'unit_count' | 'free' | 'on_request'> & {
  scopes: Readonly<Record<string, string>>;
};

/** Describes how a plan fits a use. Runs on the server and in the browser. Pure. */
export function describeFit(
  { status, missing, excess, excessSar }: PlanFit,
  { fit, scopes, and, unit_count }: CalculatorTexts,
  format: Formatter,
): string {
  return fit[status]
    .replace('{scopes}', missing.map((scope) => scopes[scope] ?? scope).join(and))
    .replace('{sar}', format.sar(excessSar))
    .replace('{units}', format.count(unit_count, excess));
}

/** Describes the price of a plan for a use, including overage. Pure. */
export function describeTotal(
  { status, totalSar, excessSar }: PlanFit,
  { free, on_request }: CalculatorTexts,
  format: Formatter,
): string {
  if (status === 'missing' || status === 'exceeded') return '–';
  if (totalSar !== null) return totalSar === 0 ? free : format.sar(totalSar);
  return excessSar === 0 ? on_request : `${on_request} + ${format.sar(excessSar)}`;
}
