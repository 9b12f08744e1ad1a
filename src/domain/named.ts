import { component, type JsonSchema, object, string } from './json-schema.ts';

export interface Names {
  name_en: string;
  name_ar: string;
}

export type NamesOf<Value extends string> = Readonly<Record<Value, Names>>;

export const NAMES_SCHEMA: JsonSchema = component('Names', {
  type: 'object',
  additionalProperties: object({ name_en: string, name_ar: string }),
});

export const named = (name_en: string, name_ar: string): Names => ({ name_en, name_ar });
