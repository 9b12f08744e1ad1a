import type { EstateKind } from './estates.ts';
import type { Noise, SecondTruth } from './second-feeds.ts';

/** An ad of the second feeds, and what it was found to be. */
export interface JudgedAd {
  truth: SecondTruth;
  /** The listing that stands for its property. */
  cluster: number;
}

export interface Share {
  pairs: number;
  /** Of them, taken for one property. */
  joined: number;
}

export interface Judgment {
  ads: number;
  /** Pairs of ads of one home. */
  same: Share;
  sameOrdinary: Share;
  /** Pairs that were taken for one property, of ads of which at least one is no unit of a building. */
  ordinaryFound: { pairs: number; right: number };
  /** Pairs of ads of different units of one building. */
  units: Share;
  /** Pairs of ads of one home by what is between them; a pair counts under each of its kinds. */
  noise: Map<Noise | 'none', Share>;
  /** Pairs of different homes that invite to be taken for one. */
  negatives: Map<string, Share>;
}

/** Counts pairs of live ads against the truth. */
export function judge(ads: readonly JudgedAd[]): Judgment {
  const judgment: Judgment = {
    ads: ads.length,
    same: share(),
    sameOrdinary: share(),
    ordinaryFound: { pairs: 0, right: 0 },
    units: share(),
    noise: new Map(),
    negatives: new Map(),
  };
  for (const group of groupsOf(ads, ({ truth }) => truth.estate)) withinEstate(group, judgment);
  for (const group of groupsOf(ads, ({ cluster }) => cluster))
    for (const [a, b] of pairsOf(group)) {
      if (isUnit(a.truth) && isUnit(b.truth)) continue;
      judgment.ordinaryFound.pairs++;
      if (a.truth.property === b.truth.property) judgment.ordinaryFound.right++;
      else if (a.truth.estate !== b.truth.estate) {
        const placeholders = a.truth.placeholder && b.truth.placeholder && a.truth.source === b.truth.source;
        count(judgment.negatives, placeholders ? 'strangers with one placeholder' : 'strangers', true);
      }
    }
  return judgment;
}

function withinEstate(group: readonly JudgedAd[], judgment: Judgment): void {
  for (const [a, b] of pairsOf(group)) {
    const joined = a.cluster === b.cluster;
    if (a.truth.property === b.truth.property) {
      add(judgment.same, joined);
      if (!isUnit(a.truth)) add(judgment.sameOrdinary, joined);
      const kinds = new Set([...a.truth.noise, ...b.truth.noise]);
      if (kinds.size === 0) count(judgment.noise, 'none', joined);
      for (const kind of kinds) count(judgment.noise, kind, joined);
    } else {
      if (isUnit(a.truth)) add(judgment.units, joined);
      count(judgment.negatives, kindOfNegative(a.truth, b.truth), joined);
    }
  }
}

export const isUnit = ({ estate_kind }: SecondTruth): boolean => UNITS.has(estate_kind);

function kindOfNegative(a: SecondTruth, b: SecondTruth): string {
  if (a.estate_kind === 'lookalikes') return 'strangers that look alike';
  const where = a.estate_kind === 'twins' ? 'villas built alike' : 'units';
  if (a.source === b.source && a.advertiser === b.advertiser) return `${where}: one advertiser on one source`;
  if (a.states_floor && b.states_floor && a.floor !== b.floor) return `${where}: two floors stated`;
  if (a.states_unit && b.states_unit && a.unit !== b.unit) return `${where}: two numbers stated`;
  if (Math.abs(a.area - b.area) >= 0.05 * Math.max(a.area, b.area)) return `${where}: areas differ by 5% or more`;
  return `${where}: nothing stated`;
}

/** Villas that one builder puts side by side are units as flats are. */
const UNITS: ReadonlySet<EstateKind> = new Set<EstateKind>(['tower', 'block', 'twins']);

export const share = (): Share => ({ pairs: 0, joined: 0 });

export function add(to: Share, joined: boolean): void {
  to.pairs++;
  if (joined) to.joined++;
}

function count<Kind>(shares: Map<Kind, Share>, kind: Kind, joined: boolean): void {
  let known = shares.get(kind);
  if (known === undefined) {
    known = share();
    shares.set(kind, known);
  }
  add(known, joined);
}

function groupsOf<Item>(items: readonly Item[], key: (item: Item) => number): Item[][] {
  const groups = Map.groupBy(items, key);
  return [...groups.values()].filter((group) => group.length > 1);
}

export function* pairsOf<Item>(group: readonly Item[]): Generator<readonly [Item, Item]> {
  for (const [at, a] of group.entries()) for (let to = at + 1; to < group.length; to++) yield [a, group[to] as Item];
}
