import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@opensearch-project/opensearch';
import { foldText } from '#domain/text/fold.ts';
import { FOLDED_CHARS } from '#domain/text/index-text.ts';
import { compileWords, type WordRules } from './words.ts';

const FOLDER = new URL('../../../index-templates/', import.meta.url);

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

export const INDEX_TEMPLATES = ['listings', 'neighborhoods', 'cities', 'history', 'deals'] as const;
export type IndexTemplateName = (typeof INDEX_TEMPLATES)[number];

export interface TemplateOptions {
  /** Primary shards of `listings`; one serves 10 to 30 GB. */
  shards?: number;
  /** Replicas of `listings`; by default one as soon as there is a second node. */
  replicas?: number;
}

export interface CompiledTemplates {
  analysis: JsonObject;
  indexes: Record<IndexTemplateName, JsonObject>;
}

/**
 * Reads `index-templates/` and fills in what its JSON refers to: a list element `@name.txt` becomes the lines of that
 * file, `@fold` the character folding of `indexText`, so that queries and documents fold alike. Each mapping gets
 * `_meta.digest`, a hash of all that shaped it, by which an index built from older files is recognised.
 */
export function compileTemplates(prefix: string, options: TemplateOptions = {}): CompiledTemplates {
  const analysis = expand(readTemplate('analysis')) as JsonObject;
  const indexes = {} as Record<IndexTemplateName, JsonObject>;
  for (const name of INDEX_TEMPLATES) {
    const body = readTemplate(name) as JsonObject;
    const digest = createHash('sha256')
      .update(JSON.stringify([analysis, body]))
      .digest('hex')
      .slice(0, 16);
    const template = body.template as { settings: { index: JsonObject }; mappings: { _meta: JsonObject } };
    template.mappings._meta.digest = digest;
    body.index_patterns = (body.index_patterns as string[]).map((pattern) => prefix + pattern);
    body.composed_of = (body.composed_of as string[]).map((part) => prefix + part);
    if (name === 'listings') {
      if (options.shards !== undefined) template.settings.index.number_of_shards = options.shards;
      if (options.replicas !== undefined) {
        template.settings.index.auto_expand_replicas = false;
        template.settings.index.number_of_replicas = options.replicas;
      }
    }
    indexes[name] = body;
  }
  return { analysis, indexes };
}

/** Puts the component template and the index templates; running it again changes nothing. Indexes keep what they have. */
export async function installTemplates(client: Client, prefix: string, options: TemplateOptions = {}): Promise<void> {
  const { analysis, indexes } = compileTemplates(prefix, options);
  await put(client, `/_component_template/${prefix}analysis`, analysis);
  for (const name of INDEX_TEMPLATES) await put(client, `/_index_template/${prefix}${name}`, indexes[name]);
}

/** `_meta` of the listings mapping that the files on disk give. */
export function listingTemplateMeta(prefix: string): { version: number; digest: string } {
  const { template } = compileTemplates(prefix).indexes.listings as unknown as {
    template: { mappings: { _meta: { version: number; digest: string } } };
  };
  return template.mappings._meta;
}

async function put(client: Client, path: string, body: JsonObject): Promise<void> {
  await client.transport.request({ method: 'PUT', path, body }, { requestTimeout: 30_000 });
}

function readTemplate(name: string): Json {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Json;
}

function expand(value: Json): Json {
  if (Array.isArray(value)) return value.flatMap((item) => include(item) ?? [expand(item)]);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]));
  }
  return value;
}

function include(item: Json): string[] | null {
  if (item === '@fold') return foldMappings();
  if (item === '@words.txt whole') return wordRules().whole;
  if (item === '@words.txt stems') return wordRules().stems;
  if (typeof item === 'string' && item.startsWith('@')) return ruleLines(item.slice(1));
  return null;
}

/** Worked out once, as it takes milliseconds and templates are compiled often. */
let rules: WordRules | undefined;
const wordRules = (): WordRules => {
  rules ??= compileWords(ruleLines('words.txt'));
  return rules;
};

function ruleLines(file: string): string[] {
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
    .map(foldText);
}

function foldMappings(): string[] {
  const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
  return [...FOLDED_CHARS].map(([code, folded]) => {
    return `${escaped(code)}=>${Array.from({ length: folded.length }, (_, at) => escaped(folded.charCodeAt(at))).join('')}`;
  });
}
