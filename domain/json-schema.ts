/** A schema for ajv and OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema must be a literal (`as const`); values of others are `unknown`. */
export type ValueOf<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: readonly (infer Type)[] }
      ? ValueOfType<Type, S>
      : S extends { readonly type: infer Type }
        ? ValueOfType<Type, S>
        : unknown;

export type MutableValueOf<S> = Mutable<ValueOf<S>>;
type Mutable<T> = T extends object ? { -readonly [Name in keyof T]: Mutable<T[Name]> } : T;

type ValueOfType<Type, S> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ArrayOf<S>
          : Type extends 'object'
            ? ObjectOf<S>
            : unknown;

type ArrayOf<S> = S extends { readonly prefixItems: infer Items }
  ? { readonly [Index in keyof Items]: ValueOf<Items[Index]> }
  : S extends { readonly items: infer Item }
    ? readonly ValueOf<Item>[]
    : readonly unknown[];

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? { readonly [Name in keyof Properties & RequiredOf<S>]: ValueOf<Properties[Name]> } & {
      readonly [Name in Exclude<keyof Properties, RequiredOf<S>>]?: ValueOf<Properties[Name]>;
    }
  : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Numbers, times in any time zone, and labels that sort as strings. A missing value exceeds nothing. */
export function isAbove(lower: unknown, upper: unknown, { format }: JsonSchema): boolean {
  if (typeof lower === 'number' && typeof upper === 'number') return lower > upper;
  if (typeof lower !== 'string' || typeof upper !== 'string') return false;
  return format === 'timestamp' ? Date.parse(lower) > Date.parse(upper) : lower > upper;
}

/** All properties are required, because an absent property and null differ. */
export const string = { type: 'string' } as const satisfies JsonSchema;
export const integer = { type: 'integer' } as const satisfies JsonSchema;
export const number = { type: 'number' } as const satisfies JsonSchema;
/** SAR, with at most two decimals (`money.ts`). */
export const amount = { type: 'number' } as const satisfies JsonSchema;
export const boolean = { type: 'boolean' } as const satisfies JsonSchema;
export const timestamp = { type: 'string', format: 'date-time' } as const satisfies JsonSchema;

/** Visible ASCII, for parameters that are ids or paths. */
export const visible = (maxLength: number) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: '^[!-~]+$',
    accepts: 'of visible ASCII characters',
  }) as const satisfies JsonSchema;

type Nullable<Schema> = string extends keyof Schema
  ? JsonSchema
  : Omit<Schema, 'type'> & {
      readonly type: readonly [Schema extends { readonly type: infer Type } ? Type : never, 'null'];
    };

export const nullable = <const Schema extends JsonSchema>(schema: Schema): Nullable<Schema> =>
  ({ ...schema, type: [schema.type, 'null'] }) as unknown as Nullable<Schema>;
export const described = <const Schema extends JsonSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  ({ type: 'string', enum: values }) as const;
export const arrayOf = <const Items extends JsonSchema>(items: Items) => ({ type: 'array', items }) as const;
export type ObjectSchema<Properties extends Readonly<Record<string, JsonSchema>>> = ReturnType<
  typeof object<Properties>
>;
export const object = <const Properties extends Readonly<Record<string, JsonSchema>>>(properties: Properties) =>
  ({
    type: 'object',
    properties,
    required: Object.keys(properties) as readonly (keyof Properties & string)[],
  }) as const;

export const single = <const Data extends JsonSchema>(data: Data) => object({ data });

const COMPONENTS = new WeakMap<object, string>();

/** Names a schema, or the values of an enumeration, which keep their name in every schema that lists them. */
export function component<const Part extends JsonSchema | readonly unknown[]>(name: string, part: Part): Part {
  COMPONENTS.set(part, name);
  return part;
}

export const componentName = (part: JsonSchema | readonly unknown[]): string | undefined => COMPONENTS.get(part);

export const discriminated = (property: string, variants: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  oneOf: Object.values(variants),
  discriminator: {
    propertyName: property,
    mapping: Object.fromEntries(
      Object.entries(variants).map(([value, variant]) => [value, componentReference(variant)]),
    ),
  },
});

function componentReference(schema: JsonSchema): string {
  const name = componentName(schema);
  if (name === undefined) throw new Error('a variant is a component');
  return `#/components/schemas/${name}`;
}
