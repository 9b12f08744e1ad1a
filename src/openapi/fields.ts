import { component, componentName, type JsonSchema } from '#domain/json-schema.ts';
import fields from './fields.json' with { type: 'json' };

interface Field {
  /**
   * One sentence, with "Null …" if null does not mean "unknown". Defaults to the description of the schema, or of the
   * name alone.
   */
  en?: string;
  ar?: string;
  example?: unknown;
  /** Defaults to that of the name; empty if it depends on another field. */
  unit?: string;
}

/**
 * By name, or by `parent.name` if the name has several meanings. The parent is a property, a component or the
 * operation.
 */
export const FIELDS: Readonly<Record<string, Field>> = fields;

/** For nullable fields whose description does not mention null. */
export const NULL_IF_UNKNOWN = { en: 'Null if unknown.', ar: 'وتكون null إذا لم تُعرف القيمة.' } as const;

/** Units by the end of a name, most specific first. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/_per_sqm_sar$/, 'SAR/m²'],
  [/_sar$|^price_(min|max)$/, 'SAR'],
  [/_sqm$|^area_(min|max)$/, 'm²'],
  [/_pct$/, '%'],
  [/(^|_)(distance|width|radius)_m$/, 'm'],
  [/_years$/, 'years'],
  [/_ms$/, 'ms'],
  [/^(lat|lng)$/, 'degrees'],
];

/**
 * Texts, as `parent.name`, that the service composes or takes from its vocabulary, reference data, official files or the
 * request. All others count as written by advertisers, sources or developers.
 */
const TRUSTED_TEXTS: readonly RegExp[] = [
  /^(?!suggest\.slug)[^.]+\.(slug|city|city_name_..|neighborhood_name_..|headline|headline_ar|images|currency|delivery_date)$/,
  /^(listCities|listNeighborhoods|listDirections|properties|Names|alternatives|(top_)?neighborhoods?|series|region)\.name_..$/,
  /^(Listing|BatchListing|license|files)\.url$|^(license|files)\.name$|^datasets\.|^license\.base_|\.(source_url|search_url|sha256)$/,
  /\.(next_cursor|plan|parameter|field|group|sort|missing|words|code|message|property_type|listing_type|listing_category|amenity)$/,
  /\.(method|method_note|note|notes|notice|\w*version|comparison_id)$|^(listTransactions|release|Export|ExportSummary)\.id$/,
  /\.(quarter|month|period|label|start|end|from|to|change_from|change_to)$|_(quarter|month|period|periods|date|from|to)$/,
  /\.(ministry_city_ar|ministry_district_ar|town_ar|property_type_ar)$|^series\.source$|^cohort\.|^understood\./,
  /^listEnums\.(?!sources$)/,
];

/** Returns the paths of all other texts, such as `data.source.name`. Lists add nothing to a path. */
export function untrustedTexts(schema: JsonSchema, parent: string, path: readonly string[] = []): string[] {
  const within = componentName(schema) ?? parent;
  const properties = Object.entries((schema.properties ?? {}) as Properties).flatMap(([name, each]) => {
    const isTrusted = !isFreeText(each) || TRUSTED_TEXTS.some((trusted) => trusted.test(`${within}.${name}`));
    const inner = untrustedTexts(each, name === 'data' ? within : name, [...path, name]);
    return isTrusted ? inner : [[...path, name].join('.'), ...inner];
  });
  const inner = [schema.items, ...((schema.oneOf ?? []) as readonly unknown[])] as readonly (JsonSchema | undefined)[];
  return [...properties, ...inner.flatMap((each) => (each ? untrustedTexts(each, within, path) : []))];
}

/** A string without listed values or a format, or a list of such strings. */
function isFreeText({ type, items, enum: values, const: only, format, pattern }: JsonSchema): boolean {
  const types = [type].flat();
  if (types.includes('array')) return isFreeText((items ?? {}) as JsonSchema);
  return types.includes('string') && [values, only, format, pattern].every((each) => each === undefined);
}

const EXAMPLE_TIME = '2026-11-25T06:00:00Z';

export function describeFields(schema: JsonSchema, parent: string): JsonSchema {
  const name = componentName(schema);
  const within = name ?? parent;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, describeProperties(value as Properties, within)];
    if (keyword === 'oneOf')
      return [keyword, (value as readonly JsonSchema[]).map((each) => describeFields(each, within))];
    const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object';
    return [keyword, isSchema ? describeFields(value as JsonSchema, within) : value];
  });
  const described: JsonSchema = Object.fromEntries(entries);
  if (name === undefined) return described;
  const { en: text, example } = FIELDS[name] ?? {};
  return component(name, {
    ...(text !== undefined && { description: text }),
    ...described,
    ...(example !== undefined && { examples: [example] }),
  });
}

type Properties = Readonly<Record<string, JsonSchema>>;

const describeProperties = (properties: Properties, parent: string): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      componentName(schema) === undefined
        ? describeField(describeFields(schema, name === 'data' ? parent : name), name, parent)
        : describeFields(schema, name),
    ]),
  );

function describeField(schema: JsonSchema, name: string, parent: string): JsonSchema {
  const field = { ...FIELDS[name], ...FIELDS[`${parent}.${name}`] };
  const text = schema.description === undefined ? field.en : String(schema.description);
  const isUnstated = isNullable(schema) && text !== undefined && !/\bnull\b/i.test(text);
  const unit = isNumeric(schema) ? (field.unit ?? UNITS.find(([end]) => end.test(name))?.[1] ?? '') : '';
  const example = schema.examples === undefined ? exampleOf(schema, field) : undefined;
  return {
    ...schema,
    ...(text !== undefined && { description: isUnstated ? `${text} ${NULL_IF_UNKNOWN.en}` : text }),
    ...(unit !== '' && { 'x-unit': unit }),
    ...(example !== undefined && { examples: [example] }),
  };
}

const typesOf = ({ type }: JsonSchema): unknown[] => [type].flat();
const isNullable = (schema: JsonSchema): boolean => typesOf(schema).includes('null');
const isNumeric = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'integer' || type === 'number');

/**
 * With one item of each list, and no optional fields.
 * @param schema as returned by `describeFields`
 */
export function composeExample(schema: JsonSchema): unknown {
  const { examples, items, oneOf, properties, required } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (oneOf) return composeExample((oneOf as readonly JsonSchema[])[0] as JsonSchema);
  if (typesOf(schema).includes('array')) return [composeExample((items ?? {}) as JsonSchema)];
  const names = (required ?? []) as readonly string[];
  return Object.fromEntries(
    names.map((name) => [name, composeExample((properties as Properties)[name] as JsonSchema)]),
  );
}

/** Objects consist of fields with their own examples. */
function exampleOf(schema: JsonSchema, field?: Field): unknown {
  const { enum: values, format, items, type } = schema;
  if (typesOf(schema).includes('object')) return schema.properties ? undefined : field?.example;
  if (typesOf(schema).includes('array')) {
    if ((items as JsonSchema | undefined)?.properties) return undefined;
    if (field?.example !== undefined) return field.example;
    const item = exampleOf((items ?? {}) as JsonSchema);
    return item === undefined ? undefined : [item];
  }
  if (Array.isArray(values)) return values.includes(field?.example) ? field?.example : values[0];
  if (format === 'date-time') return EXAMPLE_TIME;
  if (field?.example !== undefined) return field.example;
  return [type].flat().includes('boolean') ? true : undefined;
}
