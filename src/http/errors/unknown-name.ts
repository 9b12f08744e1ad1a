import { nearestParameters } from '#domain/suggestions/parameters.ts';
import { quote } from '#domain/text/quote.ts';

/** Names that are listed when none is near. */
const MAX_LISTED = 8;
/** Unknown names in which a missing one is looked for. */
const MAX_SEARCHED = 10;

/** The names that an unknown one was most likely meant for, or else those that there are. */
export function suggestNames(given: string, known: readonly string[], within = ''): string {
  const near = nearestParameters(given, known).map((name) => `\`${within}${name}\``);
  if (near.length > 0) return ` Did you mean ${listed(near, 'or')}?`;
  if (known.length === 0) return ' It takes none.';
  if (known.length > MAX_LISTED) return ' GET /v1/openapi.json lists those it takes.';
  return ` It takes ${listed(
    known.map((name) => `\`${within}${name}\``),
    'and',
  )}.`;
}

/** Names the unknown parameter or field that stands where a missing one is required. */
export function explainMissing(missing: string, given: readonly string[], known: readonly string[]): string {
  const taken = given.slice(0, MAX_SEARCHED).find((name) => nearestParameters(name, known).includes(missing));
  return taken === undefined ? '' : ` The request has ${quote(taken)} instead.`;
}

function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
