import type { JsonSchema } from '#domain/json-schema.ts';
import { nearestParameters, withUnit } from '#domain/suggestions/parameters.ts';
import { nearestBoolean, pointOf } from '#domain/suggestions/values.ts';
import { quote } from '#domain/text/visible.ts';
import type { Notation } from '#domain/value-check.ts';
import type { Values } from '../endpoint.ts';
import { describeValue } from './describe-schema.ts';
import { type AcceptedValues, assignment, parameterNaming } from './refused-value.ts';

/** British English has no comma before the conjunction. */
export const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Unknown names that are compared with a missing one. */
const MAX_SEARCHED = 10;

/** Returns similar names; if there is none, all names and what is `nested` in them. */
export function suggestNames(given: string, known: readonly string[], within = '', nested = ''): string {
  const shown = (names: readonly string[]): string[] => names.map((name) => `\`${within}${name}\``);
  const near = shown(nearestParameters(given, known));
  if (near.length > 0) return ` Did you mean ${OR.format(near)}?`;
  if (known.length === 0) return ' It accepts none.';
  return ` It accepts ${AND.format(shown(known))}.${nested}`;
}

export function suggestParameters(
  unknown: ReadonlyMap<string, string>,
  acceptedWith: (assumed?: Values) => AcceptedValues,
): string {
  const [[param, text] = ['', ''], ...others] = unknown;
  const known = [...acceptedWith().keys()];
  const point = known.includes('near') ? pointOf(param, unknown) : null;
  const parameters = acceptedWith(point === null ? {} : { near: point });
  const assigned = (given: string, value: string, names: readonly string[]): string[] =>
    nearestParameters(given, names).flatMap((name) => assignment(name, withUnit(given, value, name), parameters) ?? []);
  const circle = () => [...unknown].flatMap(([name, value]) => assigned(name, value, ['radius_m']));
  const [near] = nearestParameters(param, known);
  // Parts of a value, as in `year=2025&quarter=3` or `sort_by=price&order=asc`.
  const parts = others.slice(0, MAX_SEARCHED).filter(([name]) => nearestParameters(name, known)[0] === near);
  const value = [text, ...parts.map(([, part]) => part)].join('_');
  const meant = point ? [[`near=${point}`, ...circle()].join('&')] : assigned(param, value, known);
  // `has_pool=true` names a value.
  const flag = meant.length === 0 && nearestBoolean(text) === 'true' ? param.replace(/^(has|is|with)_/i, '') : '';
  const proposed = [...new Set([...meant, parameterNaming(flag, parameters) ?? ''])].filter(Boolean).map(quote);
  const hint = proposed.length > 0 ? ` Did you mean ${OR.format(proposed)}?` : suggestNames(param, known);
  return `This endpoint has no parameter ${quote(param)}.${hint}`;
}

/**
 * The message names the unknown parameter or field that was probably meant.
 * @param schemas of the parameters, or of the fields of the same object
 */
export function explainMissing(
  path: string,
  schemas: Readonly<Record<string, JsonSchema>>,
  unknown: readonly string[],
  notation: Notation,
): string {
  const own = path.slice(path.lastIndexOf('.') + 1);
  const known = Object.keys(schemas);
  const taken = unknown.slice(0, MAX_SEARCHED).find((name) => nearestParameters(name, known).includes(own));
  const hint = taken === undefined ? '' : ` The request has ${quote(taken)} instead.`;
  return `\`${path}\` is required: ${describeValue(schemas[own] ?? {}, notation)}.${hint}`;
}
