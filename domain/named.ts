import { component, type JsonSchema, object, string } from './json-schema.ts';

export interface Names {
  name_en: string;
  name_ar: string;
}

/** A value that a text may name. */
export interface Candidate {
  value: string;
  names: readonly string[];
}

export type NamesOf<Value extends string> = Readonly<Record<Value, Names>>;

export const NAMES_SCHEMA: JsonSchema = component('Names', {
  type: 'object',
  additionalProperties: object({ name_en: string, name_ar: string }),
});

/** Returns the names in lists of values with `[English, Arabic]`. */
export const namesIn = <Lists extends Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>(
  lists: Lists,
) =>
  Object.fromEntries(
    Object.entries(lists).map(([list, values]) => [
      list,
      Object.fromEntries(Object.entries(values).map(([value, [name_en, name_ar]]) => [value, { name_en, name_ar }])),
    ]),
  ) as { readonly [List in keyof Lists]: NamesOf<keyof Lists[List] & string> };
