import { nearestParameters } from '#domain/suggestions/parameters.ts';
import { quote } from '#domain/text/quote.ts';

/** Maximum number of names in the message if none is similar. */
const MAX_LISTED = 8;
/** Maximum number of unknown names that are compared with a missing name. */
const MAX_SEARCHED = 10;

/** Returns the names most similar to an unknown one, or up to `MAX_LISTED` names if none is. */
export function suggestNames(given: string, known: readonly string[], within = ''): string {
  const near = nearestParameters(given, known).map((name) => `\`${within}${name}\``);
  if (near.length > 0) return ` Did you mean ${listed(near, 'or')}?`;
  if (known.length === 0) return ' It accepts none.';
  if (known.length > MAX_LISTED) return ' GET /v1/openapi.json lists the accepted names.';
  return ` It accepts ${listed(
    known.map((name) => `\`${within}${name}\``),
    'and',
  )}.`;
}

/** Returns a hint if an unknown name in the request was probably meant to be the missing one. */
export function explainMissing(missing: string, given: readonly string[], known: readonly string[]): string {
  const taken = given.slice(0, MAX_SEARCHED).find((name) => nearestParameters(name, known).includes(missing));
  return taken === undefined ? '' : ` The request has ${quote(taken)} instead.`;
}

function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
