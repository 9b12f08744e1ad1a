import type { Endpoint } from '#http/endpoint.ts';

export interface SampleCall {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

interface Target extends Pick<Endpoint, 'method' | 'audience'> {
  /** URL with `{names}` of path parameters. */
  url: string;
}

export const keyVariable = ({ audience }: Pick<Target, 'audience'>): string =>
  audience === 'admin' ? 'ADMIN_KEY' : 'KEY';

/** Text that needs no encoding in a URL and no quoting in a shell. */
const PLAIN = /^[\w.,-]+$/;
export const MAX_LINE = 70;
const BREAK = ' \\\n  ';
const quoteInShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
export const isEmpty = (body: unknown): boolean => body === undefined || JSON.stringify(body) === '{}';

export const fillPath = (url: string, values: SampleCall['path']): string =>
  url.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Also runs in the browser. */
export function curl(target: Target, { path, query, body }: SampleCall): string {
  const url = fillPath(target.url, path);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  const isPlain = Object.values(query).every((value) => PLAIN.test(String(value)));
  const encoded = isPlain ? [] : parameters.map((parameter) => `--data-urlencode ${quoteInShell(parameter)}`);
  const search = isPlain && parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return [
    `curl -sS --fail-with-body${isPlain ? '' : ' -G'}`,
    ...(target.audience === 'public' ? [] : [`-H "Authorization: Bearer $${keyVariable(target)}"`]),
    ...(target.method === 'POST' && isEmpty(body) ? ['-X POST'] : []),
    ...(isEmpty(body) ? [] : ["-H 'Content-Type: application/json'", `-d ${quoteInShell(printBody(body))}`]),
    ...encoded,
    quoteInShell(url + search),
  ].join(BREAK);
}

function printBody(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= MAX_LINE ? line : JSON.stringify(body, null, 2);
}
