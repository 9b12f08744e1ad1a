import type { JsonSchema } from '#domain/json-schema.ts';
import { SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { FIRST_PLANS, OPEN_SCOPES } from '#src/accounts/scopes.ts';
import { codeBlock, codeBlocks } from '#src/documents/code.ts';
import { escapeText, factList, Html, html, withCode } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { CodeSample } from '#src/openapi/samples.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { clientLinks } from './client-links.ts';
import { formatter } from './format.ts';
import { searchForm, sideMenu } from './guide-menu.ts';
import { type OpenApi, type Operation, operationsOf, type Parameter, resolveSchema } from './operations.ts';
import { keyRequest, openApiAddress, type Page, type Site } from './page.ts';

interface Reference {
  site: Site;
  language: Language;
  document: OpenApi;
  areas: readonly { id: string; name: string; title: string; description: string; operations: readonly Operation[] }[];
  /** Required fields of a request are marked, and optional ones of a response. */
  marked: 'required' | 'optional';
}

export function referencePages(site: Site, language: Language, openApi: Json): Page[] {
  const document = openApi as unknown as OpenApi;
  const operations = operationsOf(openApi);
  const areas = document.tags.map(({ name, description, ...tag }) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    title: tag['x-displayName'] ?? name,
    description,
    operations: operations.filter(({ tags }) => tags[0] === name),
  }));
  const reference = { site, language, document, areas, marked: 'optional' } as const;
  return [listPage(reference), ...operations.map((operation) => operationPage(reference, operation))];
}

function listPage({ site, language, areas }: Reference): Page {
  const texts = TEXTS[language];
  const sections = areas.map(
    ({ id, title, description, operations }) =>
      html`<section aria-labelledby="${id}"><h2 id="${id}"><a class="anchor" href="#${id}">${title}</a></h2>
<p class="note">${withCode(description)}</p>
<ul class="operations">${operations.map(
        (operation) =>
          html`<li id="${operation.slug}"><a href="${pathIn(language, `/reference/${operation.slug}`)}">${operation.summary}</a>${endpointOf(operation)}<small>${priceOf(operation, language)} · ${accessOf(operation, language)}</small></li>`,
      )}</ul></section>`,
  );
  return {
    title: texts.reference,
    description: texts.next_step_reference,
    path: '/reference',
    section: 'reference',
    styles: ['reference.css'],
    scripts: ['guides.js'],
    body: html`<h1>${texts.reference}</h1>
<p class="lead">${texts.reference_lead}</p>
${searchForm(language)}
${factList([
  [texts.base_url, html`<code dir="ltr">${site.config.baseUrl}</code>`],
  [texts.openapi, html`<a href="${openApiAddress(site.config, language)}" dir="ltr">openapi.json</a>`],
])}
<nav class="contents" aria-label="${texts.on_this_page}"><ul>${areas.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
${sections}`,
  };
}

function operationPage(reference: Reference, operation: Operation): Page {
  const texts = TEXTS[reference.language];
  const { document } = reference;
  let body: Html | undefined;
  return {
    title: `${operation.summary} · ${operation.method} ${operation.path}`,
    description: operation.description.replaceAll('`', ''),
    path: `/reference/${operation.slug}`,
    section: 'reference',
    wide: true,
    styles: ['reference.css'],
    scripts: ['reference.js'],
    data: {
      key: reference.site.demoKey,
      audience: operation['x-audience'],
      texts: { sending: texts.sending, noResponse: texts.no_response, units: texts.units_charged },
      language: reference.language,
      clients: reference.site.downloads.clients,
      operation: sampledOperation(operation, document),
    },
    // Rendered on first use: all operations together would block the process for several 100 ms.
    get body() {
      body ??= operationBody(reference, operation);
      return body;
    },
  };
}

function operationBody(reference: Reference, operation: Operation): Html {
  const { language, areas } = reference;
  const texts = TEXTS[language];
  const { parameters, requestBody, responses } = operation;
  const area = areas.find(({ name }) => name === operation.tags[0]);
  const menu = areas.map(({ title: name, operations }) => ({
    name,
    items: operations.map(({ slug, summary: title }) => ({ path: `/reference/${slug}`, title })),
  }));
  const success = responses['200'] ?? responses['201'];
  const { schema, example } = success?.content['application/json'] ?? {};
  const body = requestBody?.content['application/json'];
  const errors = Object.entries(responses).filter(([, response]) => response['x-codes']);
  return html`<div class="reference">
${sideMenu(language, texts.operations, menu, `/reference/${operation.slug}`)}
<div class="intro">
<p class="note"><a href="${pathIn(language, '/reference')}">${texts.reference}</a> › <a href="${pathIn(language, '/reference')}#${area?.id ?? ''}">${area?.title ?? ''}</a></p>
<h1>${operation.summary}</h1>
<p>${endpointOf(operation)}</p>
<ul class="chips"><li>${priceOf(operation, language)}</li><li>${accessOf(operation, language)}</li>${operation.deprecated ? html`<li>${texts.deprecated}</li>` : null}</ul>
<p>${withCode(operation.description)}</p>
</div>
<aside aria-label="${texts.samples}">
<h2>${texts.samples}</h2>
${codeBlocks(operation['x-codeSamples'].map(({ lang, source }) => ({ text: source, language: FENCES[lang] })))}
${operation['x-audience'] === 'public' ? null : clientLinks(reference.site, language)}
${testRequest(reference, operation)}
${example === undefined ? null : html`<h2>${texts.error_example}</h2>${codeBlock(JSON.stringify(example, null, 2), 'json')}`}
</aside>
<div class="details">
${parameters.length === 0 ? null : html`<h2 id="parameters">${texts.parameters}</h2><ul class="fields">${parameters.toSorted((a, b) => Number(b.required) - Number(a.required)).map((each) => parameterItem(reference, each))}</ul>`}
${body ? html`<h2 id="body">${texts.request_body}</h2>${fieldsOf({ ...reference, marked: 'required' }, body.schema)}` : null}
${schema ? html`<h2 id="response">${texts.response}</h2>${fieldsOf(reference, schema, ' open')}` : null}
${errors.length === 0 ? null : html`<h2 id="errors">${texts.errors}</h2><ul class="fields">${errors.map(([status, response]) => html`<li><strong>${status}</strong> ${(response['x-codes'] ?? []).map((code) => html`<a href="${pathIn(language, '/docs/errors')}#${code}"><code dir="ltr">${code}</code></a> `)}</li>`)}</ul>`}
</div>
</div>`;
}

const FENCES: Readonly<Record<CodeSample['lang'], string>> = { curl: 'sh', typescript: 'ts', python: 'python' };

const endpointOf = ({ method, path }: Operation): Html =>
  html`<span class="endpoint" dir="ltr"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></span>`;

/** Returns a price such as `1 unit per 10 results`. */
function priceOf({ 'x-units': { units, per, rows } }: Operation, language: Language): string {
  const { count, number } = formatter(language);
  const { units: forms, per_results } = TEXTS[language];
  if (rows)
    return SERVICE_TEXTS[language].cost_rows
      .replace('{units}', count(forms, rows.units))
      .replace('{per}', number(rows.per));
  return count(forms, units) + (per === undefined ? '' : ` ${per_results.replace('{n}', number(per))}`);
}

function accessOf({ 'x-audience': audience, 'x-scope': scope }: Operation, language: Language): string {
  const texts = TEXTS[language];
  if (audience !== 'data') return audience === 'admin' ? texts.admin_key : texts.no_key;
  if (scope === null || OPEN_SCOPES.includes(scope) || FIRST_PLANS[scope] === 'Free') return texts.all_plans;
  return texts.plan_and_higher.replace('{plan}', FIRST_PLANS[scope]);
}

const exampleOf = ({ example, examples }: Parameter): string | null => {
  const value = example ?? examples?.default.value;
  return value === undefined ? null : String(value);
};

function parameterItem(reference: Reference, parameter: Parameter): Html {
  const { name, required, deprecated } = parameter;
  const texts = TEXTS[reference.language];
  const example = exampleOf(parameter);
  const marks = [...(required ? [texts.required] : []), ...(deprecated ? [texts.deprecated] : [])];
  return field(reference, {
    ...parameter,
    id: new Html(` id="parameter-${escapeText(name)}"`),
    marks: html`${marks.map((mark) => html` <strong>${mark}</strong>`)}`,
    more: example === null ? null : html`<p class="note">${texts.example}: <code dir="auto">${example}</code></p>`,
  });
}

interface Field {
  name: string;
  description?: string;
  schema: JsonSchema;
  marks: Html | null;
  id?: Html | null;
  open?: '' | ' open';
  more?: Html | null;
}

function field(reference: Reference, { name, schema, marks, id = null, open = '', more = null, ...of }: Field): Html {
  const texts = TEXTS[reference.language];
  const text = of.description ?? resolve(reference, schema).description;
  const type = [typeOf(reference, schema), rangeOf(schema)].filter((each) => each !== '').join(' · ');
  const inner = fieldsOf(reference, schema);
  const initial = schema.default === undefined ? null : html`<code dir="ltr">${JSON.stringify(schema.default)}</code>`;
  return html`<li${id}><code dir="ltr" class="name">${name}</code> <small dir="ltr">${type}</small>${marks}
${text === undefined ? null : html`<p>${withCode(String(text))}</p>`}${valueList(valuesOf(reference, schema), texts.values)}${initial && html`<p class="note">${texts.default}: ${initial}</p>`}${more}${inner && html`<details${new Html(open)}><summary>${texts.fields}</summary>${inner}</details>`}</li>`;
}

/** Number of values from which a list of values is collapsed. */
const MANY_VALUES = 9;

function valueList(values: readonly unknown[], label: string): Html | null {
  if (values.length === 0) return null;
  const list = html`${values.map((value) => html`<code dir="ltr">${String(value)}</code> `)}`;
  if (values.length < MANY_VALUES) return html`<p class="note">${label}: ${list}</p>`;
  return html`<details class="note"><summary>${label} (${values.length})</summary>${list}</details>`;
}

interface ObjectSchema {
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
}

/** The properties of an object, of the items of a list, or of each alternative; null if there are none. */
function fieldsOf(reference: Reference, schema: JsonSchema, open: '' | ' open' = ''): Html | null {
  const { language, marked } = reference;
  const resolved = resolve(reference, schema);
  const alternatives = alternativesOf(resolved).flatMap((each) => {
    const inner = fieldsOf(reference, each);
    const { description } = resolve(reference, each);
    const text = description === undefined ? null : html`<p>${withCode(String(description))}</p>`;
    return inner ? html`${text}${inner}` : [];
  });
  if (alternatives.length > 0) return html`${alternatives}`;
  if (resolved.items) return fieldsOf(reference, resolved.items as JsonSchema);
  const { properties = {}, required = [], additionalProperties } = resolved as ObjectSchema;
  const entries = Object.entries(properties);
  if (entries.length === 0)
    return typeof additionalProperties === 'object' ? fieldsOf(reference, additionalProperties) : null;
  const { required: requiredText, optional } = TEXTS[language];
  const mark = marked === 'required' ? html` <strong>${requiredText}</strong>` : html` <small>${optional}</small>`;
  const items = entries.map(([name, each]) => {
    const isMarked = required.includes(name) === (marked === 'required');
    return field(reference, { name, schema: each, marks: isMarked ? mark : null, open });
  });
  return html`<ul class="fields">${items}</ul>`;
}

const alternativesOf = ({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] =>
  (oneOf ?? anyOf ?? []) as readonly JsonSchema[];

const resolve = ({ document }: Reference, schema: JsonSchema): JsonSchema => resolveSchema(document, schema);

/** Returns a type in the notation of TypeScript, for example `string[] | null`. */
function typeOf(reference: Reference, schema: JsonSchema): string {
  const resolved = resolve(reference, schema);
  const alternatives = alternativesOf(resolved);
  if (alternatives.length > 0) return [...new Set(alternatives.map((each) => typeOf(reference, each)))].join(' | ');
  const types = [resolved.type ?? 'object'].flat().map((type) => {
    if (type === 'array') return `${typeOf(reference, (resolved.items ?? {}) as JsonSchema)}[]`;
    return type === 'string' && resolved.format !== undefined ? `string (${String(resolved.format)})` : String(type);
  });
  return types.join(' | ');
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined || Number(maximum) > 1e9) return `≥ ${String(minimum)}`;
  return minimum === undefined ? `≤ ${String(maximum)}` : `${String(minimum)}–${String(maximum)}`;
}

function valuesOf(reference: Reference, schema: JsonSchema): readonly unknown[] {
  const resolved = resolve(reference, schema);
  if (resolved.enum) return (resolved.enum as readonly unknown[]).filter((value) => value !== null);
  const inner = resolved.items ? [resolved.items as JsonSchema] : alternativesOf(resolved);
  return [...new Set(inner.flatMap((each) => valuesOf(reference, each)))];
}

const MAX_ROWS = 16;

/** Only required parameters are filled in. The script shows the form. */
function testRequest({ site, language }: Reference, operation: Operation): Html {
  const texts = TEXTS[language];
  const { parameters, requestBody, method, server, path } = operation;
  const { required = [], optional = [] } = Object.groupBy(parameters, (each) =>
    isSampled(each) ? 'required' : 'optional',
  );
  const body = JSON.stringify(requestBody?.content['application/json'].example ?? {}, null, 2);
  const audience = operation['x-audience'];
  const isAdmin = audience === 'admin';
  const hint = `${texts.key_use}${isAdmin || site.demoKey === null ? '' : ` ${texts.demo_hint}`}`;
  return html`<form class="test-request" data-method="${method}" data-url="${server}${path}">
<h2>${texts.test_request}</h2>
${
  audience === 'public'
    ? null
    : html`<p class="field"><label for="key">${isAdmin ? texts.admin_key : texts.your_key}</label><input id="key" dir="ltr" autocomplete="off" spellcheck="false" placeholder="svc_${isAdmin ? 'admin' : 'live'}_…" aria-describedby="key-hint" required></p>
<p id="key-hint" class="note">${hint}${keyRequest(site.config, language)}</p>`
}
${required.map((each) => input(each, texts))}
${requestBody ? html`<p class="field"><label for="input-body">${texts.request_body}</label><textarea id="input-body" dir="ltr" rows="${Math.min(MAX_ROWS, body.split('\n').length)}" spellcheck="false">${body}</textarea></p>` : null}
<p class="send"><button class="main">${texts.send}</button> <output dir="ltr"></output> <a class="error-help" href="${pathIn(language, '/docs/errors')}" hidden>${texts.error_help}</a></p>
<div class="code" dir="ltr" hidden><pre tabindex="0"><code></code></pre></div>
${optional.length === 0 ? null : html`<details><summary>${texts.optional_parameters}</summary>${optional.map((each) => input(each, texts))}</details>`}
</form>`;
}

function sampledOperation(operation: Operation, document: OpenApi) {
  const { operationId, method, path, tags, requestBody } = operation;
  const { discriminator } = resolveSchema(document, requestBody?.content['application/json'].schema ?? {});
  return {
    operationId,
    method,
    path: `/v1${path}`,
    area: tags[0],
    audience: operation['x-audience'],
    bodyDocument: discriminator === undefined ? undefined : { discriminator },
  };
}
export type SampledOperation = ReturnType<typeof sampledOperation>;

/** Ids of objects that an organization created: the example does not exist. */
const isOwnId = ({ in: place, name }: Parameter): boolean => place === 'path' && name.endsWith('_id');

/** Whether samples have the parameter: it is required, or one of several that are. */
const isSampled = ({ required, example }: Parameter): boolean => required || example !== undefined;

function input(parameter: Parameter, texts: (typeof TEXTS)['en']): Html {
  const { name, in: place, required, schema } = parameter;
  const example = exampleOf(parameter) ?? '';
  const attributes = html`id="input-${name}" name="${name}" data-in="${place}" data-type="${String([schema.type ?? ''].flat()[0])}" dir="auto"${new Html(required ? ' required' : '')}`;
  const values = schema.type === 'boolean' ? ['true', 'false'] : ((schema.enum ?? []) as readonly string[]);
  const option = (value: string): Html =>
    html`<option${new Html(required && value === example ? ' selected' : '')}>${value}</option>`;
  const control =
    values.length > 0
      ? html`<select ${attributes}>${required ? null : html`<option></option>`}${values.map(option)}</select>`
      : html`<input ${attributes} ${isSampled(parameter) && !isOwnId(parameter) ? html`value="${example}"` : html`placeholder="${texts.for_example} ${example}"`} autocomplete="off">`;
  return html`<p class="field"><label for="input-${name}" dir="ltr">${name}</label>${control}</p>`;
}
