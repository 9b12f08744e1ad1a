import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@opensearch-project/opensearch';
import { foldText } from '../../text/fold.ts';

const FOLDER = new URL('../../../index-templates/', import.meta.url);

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

export const INDEX_TEMPLATES = ['listings', 'neighborhoods', 'cities'] as const;
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
 * file, `@fold` the character folding of `foldText`, so that analysis and code fold alike. Each mapping gets
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
  if (item === '@stems.txt') return ruleLines('stems.txt').map(withArabicPrefixes);
  if (typeof item === 'string' && item.startsWith('@')) return ruleLines(item.slice(1));
  return null;
}

function ruleLines(file: string): string[] {
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
    .map(foldText);
}

const ARABIC_PREFIXES = ['', 'ال', 'و', 'وال', 'بال', 'لل', 'فال', 'كال'];

/** An overridden form is no longer seen by the stemmer, so the prefixes it would have taken off are spelt out. */
function withArabicPrefixes(rule: string): string {
  const [left, stem] = rule.split('=>').map((side) => side.trim());
  if (!left || !stem) throw new Error(`index-templates/stems.txt: "${rule}" is not of the form "form, form => stem".`);
  const forms = left.split(',').flatMap((part) => {
    const form = part.trim();
    return /^[\u0621-\u064a]/.test(form) ? ARABIC_PREFIXES.map((prefix) => prefix + form) : [form];
  });
  return `${forms.join(', ')} => ${stem}`;
}

/** Blocks in which `foldText` changes letters: Arabic, its presentation forms, full-width Latin, superscript digits. */
const FOLDED_BLOCKS = [
  [0x0600, 0x06ff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0xff01, 0xff5e],
  [0xb2, 0xb3],
  [0xb9, 0xb9],
] as const;

/** Marks without width, which advertisers paste in and nobody types. */
const INVISIBLE = [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x2066, 0x2067, 0x2069, 0xfeff];

function foldMappings(): string[] {
  const rules = INVISIBLE.map((code) => `${escaped(code)}=>`);
  for (const [first, last] of FOLDED_BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const folded = foldText(String.fromCharCode(code));
      if (folded === String.fromCharCode(code)) continue;
      const target = [...folded].map((char) => escaped(char.codePointAt(0) as number)).join('');
      rules.push(`${escaped(code)}=>${target}`);
    }
  }
  return rules;
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
