import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import { STOP_WORDS } from '#domain/text/stop-words.ts';
import { synonymsVersion } from '#queries/text/synonyms.ts';
import { readWordList, TEMPLATE_FOLDER } from '#queries/text/word-lists.ts';
import { compileWords } from '#queries/text/word-rules.ts';
import { ADMIN_REQUEST, type OpenSearch } from './opensearch-client.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/**
 * Reads `index-templates/` and replaces references in its JSON files:
 * - `@words.txt stems`, as a list element, by the stem rules in `words.txt`
 * - `@stop`, as a list element, by the stop words that `q` is checked against
 * - `@listings.json filter`, as a value, by the field `filter` of that template
 * `_meta.digest` identifies indexes that were created from older files.
 */
export function compileTemplates() {
  // Word rules are slow to compile. Stored queries contain the synonyms of their words.
  const synonyms = synonymsVersion();
  if (compiled?.synonyms !== synonyms) compiled = { ...compile(synonyms), synonyms };
  return compiled;
}

let compiled: (ReturnType<typeof compile> & { synonyms: string }) | undefined;

function compile(synonyms: string) {
  const analysis = expandAnalysis(readTemplate('analysis'), readWordList('words.txt'));
  const components: Readonly<Record<string, JsonObject>> = { analysis };
  const indexes = {} as Record<ServedIndex, JsonObject>;
  for (const name of SERVED_INDEXES) {
    const body = expand(readTemplate(name)) as JsonObject;
    const composedOf = body.composed_of as string[];
    const shapedBy: Json[] = [...composedOf.map((component) => components[component] ?? null), body];
    if (name === 'webhooks') shapedBy.push(synonyms);
    const digest = createHash('sha256').update(JSON.stringify(shapedBy)).digest('hex').slice(0, 16);
    const template = body.template as { mappings: { _meta: JsonObject }; settings: JsonObject };
    template.mappings._meta.digest = digest;
    if (composedOf.includes('analysis')) Object.assign(template.settings, (analysis.template as JsonObject).settings);
    indexes[name] = body;
  }
  return { analysis, indexes };
}

/** Existing indexes do not change, and an installed template that is equal neither. */
export async function installTemplates(client: OpenSearch): Promise<void> {
  for (const [name, template] of Object.entries(compileTemplates().indexes)) {
    const patterns = (template.index_patterns as string[]).map((pattern) => client.prefix + pattern);
    // A shared component could not drop analyzers that another template uses.
    const body = { ...template, index_patterns: patterns, composed_of: [] };
    await client.send('PUT', `/_index_template/${client.prefix}${name}`, { body, ...ADMIN_REQUEST });
  }
}

/** @param meta additional entries of `_meta` */
export async function createFromTemplate(
  client: OpenSearch,
  name: ServedIndex,
  index: string,
  { aliases = {}, meta = {} }: { aliases?: Readonly<Record<string, object>>; meta?: object } = {},
): Promise<void> {
  const { settings, mappings } = templateOf(name);
  // OpenSearch replaces `_meta` as a whole.
  const body = {
    aliases,
    settings: { ...settings, index: { ...settings.index, auto_expand_replicas: client.replicas } },
    mappings: { ...mappings, _meta: { ...mappings._meta, ...meta } },
  };
  await client.send('PUT', `/${index}`, { body, ...ADMIN_REQUEST });
}

/** `version` is the document version. */
interface IndexTemplate {
  mappings: { _meta: { version: number; digest: string } };
  settings: { index: { refresh_interval: string } };
}

export function templateOf(name: ServedIndex): IndexTemplate {
  return compileTemplates().indexes[name].template as unknown as IndexTemplate;
}

const readTemplate = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`${name}.json`, TEMPLATE_FOLDER), 'utf8')) as Json;

/** Resolves the references of an `analysis.json`, of any version, to the words of a `words.txt` and the stop words. */
export function expandAnalysis(template: Json, words: readonly string[]): JsonObject {
  const include = (value: Json): Json => {
    if (Array.isArray(value)) return value.flatMap((item) => included(item, words) ?? [include(item)]);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, include(item)]));
  };
  return include(template) as JsonObject;
}

function expand(value: Json): Json {
  if (Array.isArray(value)) return value.map(expand);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]));
  }
  const [, file, field] = /^@(\w+)\.json (\w+)$/.exec(String(value)) ?? [];
  return file && field ? mappedField(readTemplate(file), field) : value;
}

function mappedField(template: Json, field: string): Json {
  const { mappings } = (template as JsonObject).template as { mappings: { properties: JsonObject } };
  return mappings.properties[field] as Json;
}

function included(item: Json, words: readonly string[]): string[] | null {
  if (item === '@stop') return [...STOP_WORDS];
  const rules = /^@words\.txt (whole|stems|settled)$/.exec(String(item))?.[1] as
    | 'whole'
    | 'stems'
    | 'settled'
    | undefined;
  return rules === undefined ? null : compileWords(words)[rules];
}
