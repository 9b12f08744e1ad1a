import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Findings of axe that are serious, and landmarks of the same name, each with its location. */
export async function findings(page: Page, name: string): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResult>(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  );
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
    .map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
}

interface AxeResult {
  violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
}
