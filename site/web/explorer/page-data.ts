import type { ExplorerData } from '#site/server/explorer-page.ts';
import { formatter } from '#site/server/format.ts';
import { nameIn, pathIn } from '#src/documents/language.ts';
import { pageData } from '../element.ts';

export const data = pageData<ExplorerData>();
export const { texts } = data;
export const format = formatter(data.language);

export const nameOf = (named: Parameters<typeof nameIn>[1]): string => nameIn(data.language, named);

export const pathOf = (path: string): string => pathIn(data.language, path);

/** Returns the name of a value, or the value if it has none. */
export const labelOf = (enumeration: string, value: string): string =>
  nameOf(data.names[enumeration]?.[value] ?? { name_en: value, name_ar: null });

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
