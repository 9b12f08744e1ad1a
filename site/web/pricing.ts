import { formatter } from '#site/server/format.ts';
import type { CalculatorData } from '#site/server/pricing-page.ts';
import { describeFit, describeTotal, estimateUnits, type Use, unitsOfRow } from '#site/server/unit-calculator.ts';
import { pageData } from './page-data.ts';

const { language, rows, plans, texts } = pageData<CalculatorData>();
const form = document.querySelector<HTMLFormElement>('form.calculator');
const format = formatter(language);

function count(name: string): number {
  const field = form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  return field ? Math.max(0, Math.floor(field.valueAsNumber || 0)) : 1;
}

function setText(selector: string, text: string): void {
  const element = document.querySelector(selector);
  if (element) element.textContent = text;
}

form?.addEventListener('input', () => {
  const uses: Record<string, Use> = {};
  for (const row of rows) {
    const use = { calls: count(row.name), results: count(`${row.name}_results`) };
    uses[row.name] = use;
    setText(`[data-row="${row.name}"]`, format.number(unitsOfRow(row, use)));
  }
  const { units, fits, best } = estimateUnits(rows, plans, uses);
  setText('#units', format.count(texts.unit_count, units));
  for (const fit of fits) {
    const line = `[data-plan="${fit.plan.name}"]`;
    document.querySelector(line)?.classList.toggle('best', fit.plan.name === best);
    setText(`${line} [data-fit]`, describeFit(fit, texts, format));
    setText(`${line} [data-total]`, describeTotal(fit, texts, format));
  }
});
