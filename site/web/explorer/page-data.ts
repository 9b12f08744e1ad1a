import type { ExplorerData } from '#site/server/explorer-page.ts';
import { formatter } from '#site/server/format.ts';
import { pageData } from '../element.ts';

export const data = pageData<ExplorerData>();
export const { texts } = data;
export const format = formatter(data.language);

export interface BilingualName {
  name_en: string | null;
  name_ar: string | null;
}

export const nameOf = ({ name_en, name_ar }: BilingualName): string =>
  (data.language === 'ar' ? (name_ar ?? name_en) : (name_en ?? name_ar)) ?? '';

export const pathOf = (path: string): string => (data.language === 'ar' ? `/ar${path}` : path);

export const known = <Fact>(facts: readonly (Fact | null)[]): Fact[] => facts.filter((fact) => fact !== null);

/**
 * Returns the URL of an operation, with the values that it has parameters for. The site serves the operations of the
 * Free plan and estimates at no cost, so that a search shows the same to all visitors.
 */
export function addressOf(
  operationId: string,
  values: URLSearchParams | Readonly<Record<string, string>> = {},
  path: Readonly<Record<string, string>> = {},
): string {
  const operation = data.operations[operationId];
  if (!operation) throw new Error(`${operationId} is not described`);
  const query = [...new URLSearchParams(values)].filter(([name]) => operation.parameters.includes(name));
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  // More readable unescaped.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `${operation.isFree ? data.sessionUrl : data.baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
}

const QUARTERS: Readonly<Record<string, string>> = texts.quarters;

/** Formats a quarter such as `2025-Q3`. */
export function quarterText(quarter: string): string {
  const [year = '', number = ''] = quarter.split('-');
  return `${QUARTERS[number] ?? number} ${year}`;
}
