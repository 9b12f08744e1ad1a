import type { Endpoint } from '#src/http/endpoint.ts';

type SampledEndpoint = Pick<Endpoint, 'operationId' | 'area' | 'method' | 'path' | 'audience' | 'bodyDocument'>;

interface SampleCall {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** As documentation viewers read it (`x-codeSamples`). */
export interface CodeSample {
  lang: 'curl' | 'typescript' | 'python';
  label: string;
  source: string;
}

/** Languages with a client that users can install. */
export type Clients = readonly ('typescript' | 'python')[];

/**
 * With required parameters. Languages without a client, and operations without a key, have samples that need no package.
 * Also runs in the browser.
 */
export function codeSamples(
  endpoint: SampledEndpoint,
  call: SampleCall,
  baseUrl: string,
  clients: Clients,
): CodeSample[] {
  const usesClient = (language: Clients[number]): boolean =>
    endpoint.audience !== 'public' && clients.includes(language);
  const typescriptOf = usesClient('typescript') ? typescript : plainTypeScript;
  const pythonOf = usesClient('python') ? python : plainPython;
  return [
    { lang: 'curl', label: 'curl', source: curl(endpoint, call, baseUrl) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptOf(endpoint, call, baseUrl) },
    { lang: 'python', label: 'Python', source: pythonOf(endpoint, call, baseUrl) },
  ];
}

const keyVariable = ({ audience }: Pick<SampledEndpoint, 'audience'>): string =>
  audience === 'admin' ? 'ADMIN_KEY' : 'KEY';

/** Text that needs no encoding in a URL and no quoting in a shell. */
const PLAIN = /^[\w.,-]+$/;
const MAX_LINE = 70;
const BREAK = ' \\\n  ';
const quoteInShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const isEmpty = (body: unknown): boolean => body === undefined || JSON.stringify(body) === '{}';

export const fillPath = (url: string, values: SampleCall['path']): string =>
  url.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

const urlOf = ({ path: template }: SampledEndpoint, { path }: SampleCall, baseUrl: string): string =>
  fillPath(baseUrl.replace(/\/v1$/, '') + template, path);

function curl(endpoint: SampledEndpoint, call: SampleCall, baseUrl: string): string {
  const { query, body } = call;
  const url = urlOf(endpoint, call, baseUrl);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  const isPlain = Object.values(query).every((value) => PLAIN.test(String(value)));
  const encoded = isPlain ? [] : parameters.map((parameter) => `--data-urlencode ${quoteInShell(parameter)}`);
  const search = isPlain && parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return [
    `curl -sS --fail-with-body${isPlain ? '' : ' -G'}`,
    ...(endpoint.audience === 'public' ? [] : [`-H "Authorization: Bearer $${keyVariable(endpoint)}"`]),
    ...(endpoint.method === 'POST' && isEmpty(body) ? ['-X POST'] : []),
    ...(isEmpty(body) ? [] : ["-H 'Content-Type: application/json'", `-d ${quoteInShell(printBody(body))}`]),
    ...encoded,
    quoteInShell(url + search),
  ].join(BREAK);
}

function printBody(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= MAX_LINE ? line : JSON.stringify(body, null, 2);
}

function typescript(endpoint: SampledEndpoint, call: SampleCall, baseUrl: string): string {
  const params = Object.fromEntries(
    (['path', 'query'] as const).flatMap((place) =>
      Object.keys(call[place]).length > 0 ? [[place, call[place]]] : [],
    ),
  );
  const options = {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(isEmpty(call.body) ? {} : { body: call.body }),
  };
  const last = Object.keys(options).length > 0 ? `, ${literal(options, 'typescript', 1)}` : '';
  return `import { createClient, unwrap } from 'property-listings-client';

const client = createClient({ baseUrl: '${baseUrl}', key: process.env.${keyVariable(endpoint)} ?? '' });
const { data } = unwrap(
  await client.${endpoint.method}('${endpoint.path.replace(/^\/v1/, '')}'${last}),
);
console.log(data);`;
}

function python(endpoint: SampledEndpoint, { path, query, body }: SampleCall, baseUrl: string): string {
  const module = snakeCase(endpoint.area);
  const operation = snakeCase(endpoint.operationId);
  const model = isEmpty(body) ? null : bodyModel(endpoint, body as Readonly<Record<string, unknown>>);
  const parameters = [
    ...Object.values(path).map((value) => literal(value, 'python', 2)),
    'client=client',
    ...Object.entries(query).map(([name, value]) => `${name}=${literal(value, 'python', 2)}`),
    ...(model === null ? [] : [`body=${model}.from_dict(${literal(body, 'python', 2)})`]),
  ];
  const line = parameters.join(', ');
  const broken = `\n${parameters.map((each) => `        ${each},\n`).join('')}    `;
  return `import os

from property_listings.api.${module} import ${operation}${model === null ? '' : `\nfrom property_listings.models import ${model}`}
from property_listings.session import connect, unwrap

client = connect("${baseUrl}", os.environ["${keyVariable(endpoint)}"])
response = unwrap(
    ${operation}.sync_detailed(${line.length <= MAX_LINE && !line.includes('\n') ? line : broken})
)
print(response.data)`;
}

/** @returns the URL with its query, and the parts of a request that are not defaults */
function plainRequest(endpoint: SampledEndpoint, call: SampleCall, baseUrl: string) {
  const parameters = Object.entries(call.query).map(([name, value]) => {
    const text = String(value);
    return `${name}=${PLAIN.test(text) ? text : encodeURIComponent(text)}`;
  });
  return {
    url: urlOf(endpoint, call, baseUrl) + (parameters.length > 0 ? `?${parameters.join('&')}` : ''),
    hasKey: endpoint.audience !== 'public',
    hasBody: !isEmpty(call.body),
    isPost: endpoint.method === 'POST',
  };
}

function plainTypeScript(endpoint: SampledEndpoint, call: SampleCall, baseUrl: string): string {
  const { url, hasKey, hasBody, isPost } = plainRequest(endpoint, call, baseUrl);
  const headers = [
    ...(hasKey ? [`Authorization: \`Bearer \${process.env.${keyVariable(endpoint)}}\``] : []),
    ...(hasBody ? ["'Content-Type': 'application/json'"] : []),
  ];
  const options = [
    ...(isPost ? ["method: 'POST'"] : []),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(hasBody ? [`body: JSON.stringify(${literal(call.body, 'typescript', 1)})`] : []),
  ];
  const last = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join('')}}` : '';
  return `const response = await fetch('${url}'${last});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

function plainPython(endpoint: SampledEndpoint, call: SampleCall, baseUrl: string): string {
  const { url, hasKey, hasBody, isPost } = plainRequest(endpoint, call, baseUrl);
  const headers = [
    ...(hasKey ? [`"Authorization": f"Bearer {os.environ['${keyVariable(endpoint)}']}"`] : []),
    ...(hasBody ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    `"${url}"`,
    ...(isPost ? ['method="POST"'] : []),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(hasBody ? [`data=json.dumps(${literal(call.body, 'python', 1)}).encode()`] : []),
  ];
  return `import json
${hasKey ? 'import os\n' : ''}import urllib.request

request = urllib.request.Request(
${options.map((option) => `    ${option},\n`).join('')})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}

const snakeCase = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll(/[ -]/g, '_')
    .toLowerCase();

/** The schema that the discriminator selects, or a name by operation. */
function bodyModel({ operationId, bodyDocument }: SampledEndpoint, body: Readonly<Record<string, unknown>>): string {
  type Discriminator = { propertyName?: string; mapping?: Readonly<Record<string, string>> };
  const { propertyName, mapping } = (bodyDocument?.discriminator ?? {}) as Discriminator;
  const chosen = mapping?.[String(body[propertyName ?? ''])]?.split('/').at(-1);
  return chosen ?? `${operationId.replace(/^./, (char) => char.toUpperCase())}Body`;
}

function literal(value: unknown, language: 'typescript' | 'python', depth: number): string {
  if (typeof value === 'string' && language === 'typescript')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (language === 'python' && value === null) return 'None';
  if (typeof value === 'boolean' && language === 'python') return value ? 'True' : 'False';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = (each: unknown): string => literal(each, language, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  const name = (key: string): string => (language === 'typescript' ? key : JSON.stringify(key));
  const parts = Object.entries(value).map(([key, each]) => `${name(key)}: ${inner(each)}`);
  const [open, close] = language === 'typescript' ? ['{ ', ' }'] : ['{', '}'];
  const line = open + parts.join(', ') + close;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  const indent = (language === 'typescript' ? '  ' : '    ').repeat(depth);
  const step = language === 'typescript' ? '  ' : '    ';
  return `{\n${parts.map((part) => `${indent}${step}${part},\n`).join('')}${indent}}`;
}
