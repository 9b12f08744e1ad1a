import { distance } from 'fastest-levenshtein';
import { memoize } from '#domain/memoize.ts';
import parameterNames from '#domain/suggestions/parameter-names.json' with { type: 'json' };
import type { Endpoint } from '../endpoint.ts';

/** Requests without a key must need little processor time. */
const MAX_PATH = 200;
const MAX_SEGMENTS = 10;
const MAX_SEGMENT = 40;

const MAX_EDITS = 2;
/** Minimum length of a segment that matches a part of a longer one: `yield` matches `rental-yield`. */
const MIN_PART = 4;
const MAX_COST = 5;
const COSTS = { version: 1, text: 1, part: 2, value: 2, segment: 3, method: 1 };
const MAX_SUGGESTIONS = 2;
/** Additional cost of a second suggestion, if the first guesses a whole segment. */
const MARGIN = 2;

const MISSING = { literal: COSTS.segment, version: COSTS.version, string: COSTS.value, integer: COSTS.value };

/** Segments of this API by words of others. */
const SEGMENTS = new Map(
  Object.entries(parameterNames.path_words).flatMap(([own, words]) => words.split(' ').map((word) => [word, own])),
);

/** Operations for the method DELETE of other APIs. */
const REMOVAL = /\/(delete|revoke|remove|cancel)$/;

/** Values that are safe to repeat. */
const SAFE = /^[\w-]{1,40}$/;

interface Segment {
  text: string;
  kind: 'literal' | 'version' | 'string' | 'integer';
}

interface Match {
  cost: number;
  path: string;
  /** Whether a literal segment other than the version was recognized. */
  recognized: boolean;
}

export type PathSuggestions = (method: string, path: string) => readonly string[];

/**
 * Tolerates differences in slashes, case, version and single letters, one missing or extra segment, and unknown
 * segments at the end.
 */
export function createPathSuggestions(endpoints: readonly Endpoint[]): PathSuggestions {
  const routes = endpoints.map((endpoint) => ({ ...endpoint, segments: segmentsOf(endpoint) }));
  const literals = new Set(routes.flatMap(({ segments }) => segments.map(({ text }) => text)));
  const isUnknown = (segment = ''): boolean => !literals.has(segment);
  const suggest = (method: string, path: string): string[] => {
    if (path.length > MAX_PATH) return [];
    const given = path.split('/').filter((segment) => segment !== '');
    if (given.length > MAX_SEGMENTS || given.some((segment) => segment.length > MAX_SEGMENT)) return [];
    const wanted = method === 'HEAD' ? 'GET' : method;
    const costs = given.map(costsOf);
    const best = new Map<string, { cost: number; text: string }>();
    for (const route of routes) {
      const match = align(route.segments, given, costs);
      if (!match?.recognized) continue;
      const isRemoval = wanted === 'DELETE' && REMOVAL.test(match.path);
      const cost = match.cost + (isRemoval ? -COSTS.segment : route.method === wanted ? 0 : COSTS.method);
      const known = best.get(route.path);
      if (cost <= MAX_COST && (!known || cost < known.cost))
        best.set(route.path, { cost, text: `${route.method} ${match.path}` });
    }
    const [first, ...rest] = [...best.values()].sort((a, b) => a.cost - b.cost);
    if (!first) return isUnknown(given.at(-1)) && given.length > 2 ? suggest(method, given.slice(0, -1).join('/')) : [];
    const margin = first.cost >= COSTS.segment ? MARGIN : 0;
    const others = rest.filter(({ cost, text }) => cost <= first.cost + margin && !text.startsWith(`${first.text}/`));
    return [first, ...others].slice(0, MAX_SUGGESTIONS).map(({ text }) => text);
  };
  return suggest;
}

function segmentsOf({ path, pathParameters }: Endpoint): Segment[] {
  const integers = new Set(
    pathParameters.flatMap(({ name, schema }) => (schema.type === 'integer' ? `{${name}}` : [])),
  );
  const kindOf = (text: string): Segment['kind'] => {
    if (text.startsWith('{')) return integers.has(text) ? 'integer' : 'string';
    return /^v\d+$/.test(text) ? 'version' : 'literal';
  };
  const segments = path.split('/').slice(1);
  return segments.map((text) => ({ text, kind: kindOf(text) }));
}

type CostOf = (segment: Segment) => number | null;

/** The alignment with the lowest cost, or null above the maximum. */
function align(segments: readonly Segment[], given: readonly string[], costs: readonly CostOf[]): Match | null {
  const from = (at: number, to: number, left: number): Match | null => {
    if (left < 0) return null;
    const segment = segments[to];
    const text = given[at];
    if (segment === undefined && text === undefined) return { cost: 0, path: '', recognized: false };
    let best: Match | null = null;
    const consider = (cost: number, written: string, recognized: boolean, [nextAt, nextTo]: [number, number]): void => {
      const rest = from(nextAt, nextTo, left - cost);
      if (rest === null || (best !== null && rest.cost + cost >= best.cost)) return;
      best = { cost: rest.cost + cost, path: written + rest.path, recognized: recognized || rest.recognized };
    };
    const cost = segment && costs[at]?.(segment);
    if (segment && text !== undefined && typeof cost === 'number') {
      const isValue = segment.kind === 'string' || segment.kind === 'integer';
      const written = isValue && SAFE.test(text) ? text : segment.text;
      consider(cost, `/${written}`, segment.kind === 'literal', [at + 1, to + 1]);
    }
    if (segment) consider(MISSING[segment.kind], `/${segment.text}`, false, [at, to + 1]);
    if (text !== undefined) consider(COSTS.segment, '', false, [at + 1, to]);
    return best;
  };
  return from(0, 0, MAX_COST);
}

/** Null if the segments do not match. */
function costsOf(text: string): CostOf {
  const plain = text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase();
  const base = plain.replace(/\.[a-z]{3,4}$/, '');
  const forms = [...new Set([plain, base, pluralOf(base), SEGMENTS.get(base) ?? base])];
  const costOfWord = memoize((word): number | null => {
    const edits = Math.min(
      ...forms.map((form) => (Math.abs(form.length - word.length) > MAX_EDITS ? word.length : distance(form, word))),
    );
    if (edits <= MAX_EDITS && edits * 2 < word.length) return edits;
    return base.length >= MIN_PART && word.split(/[-.]/).includes(base) ? COSTS.part : null;
  });
  return ({ text: word, kind }) => {
    switch (kind) {
      case 'version':
        return text === word ? 0 : /^v?\d+(\.\d+)*$/i.test(text) ? COSTS.version : null;
      case 'integer':
        return /^\d+$/.test(text) ? 0 : null;
      case 'string':
        // Literal segments have precedence.
        return COSTS.text;
      case 'literal':
        return costOfWord(word);
    }
  };
}

const pluralOf = (word: string): string => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`);
