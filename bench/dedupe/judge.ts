/** An ad's home, according to the generator. */
export interface HomeTruth {
  home_id: string;
  /** Units of a compound share a floor plan with their neighbors. */
  kind: 'ordinary' | 'compound';
  compound_id: string | null;
}

export interface Share {
  pairs: number;
  /** Number of pairs that were merged. */
  joined: number;
}

export const share = (): Share => ({ pairs: 0, joined: 0 });

export function add(to: Share, joined: boolean): void {
  to.pairs++;
  if (joined) to.joined++;
}

function* pairsOf<Item>(group: readonly Item[]): Generator<readonly [Item, Item]> {
  for (const [at, a] of group.entries()) for (let to = at + 1; to < group.length; to++) yield [a, group[to] as Item];
}

/** Evaluation of merged pairs against the ground truth. */
export interface Judgment {
  /** Pairs of ads for one ordinary home, and pairs of ads for one compound unit. */
  ordinary: Share;
  units: Share;
  /** Share of ordinary homes with several ads for which all ads were merged. */
  wholeHomes: Share;
  /** Merged pairs, and correct ones: for all homes, and for pairs with at least one ordinary home. */
  found: { pairs: number; right: number };
  ordinaryFound: { pairs: number; right: number };
  /** Pairs of ads for different units of one compound. */
  neighbors: Share;
}

/** @param clusters each ad's cluster; null if the ad was rejected */
export function judgeAds(ads: readonly { truth: HomeTruth }[], clusters: readonly (number | null)[]): Judgment {
  const judgment: Judgment = {
    ordinary: share(),
    units: share(),
    wholeHomes: share(),
    found: { pairs: 0, right: 0 },
    ordinaryFound: { pairs: 0, right: 0 },
    neighbors: share(),
  };
  const cluster = (at: number): number => clusters[at] ?? -1 - at;
  const truthOf = (at: number): HomeTruth => (ads[at] as { truth: HomeTruth }).truth;
  for (const group of Map.groupBy(ads.keys(), (at) => truthOf(at).home_id).values()) {
    const { kind } = truthOf(group[0] as number);
    for (const [a, b] of pairsOf(group))
      add(kind === 'ordinary' ? judgment.ordinary : judgment.units, cluster(a) === cluster(b));
    if (kind === 'ordinary' && group.length > 1) add(judgment.wholeHomes, new Set(group.map(cluster)).size === 1);
  }
  const inCompounds = [...ads.keys()].filter((at) => truthOf(at).compound_id !== null);
  for (const group of Map.groupBy(inCompounds, (at) => truthOf(at).compound_id).values())
    for (const [a, b] of pairsOf(group))
      if (truthOf(a).home_id !== truthOf(b).home_id) add(judgment.neighbors, cluster(a) === cluster(b));
  for (const group of Map.groupBy(ads.keys(), cluster).values())
    for (const [a, b] of pairsOf(group)) {
      const isRight = truthOf(a).home_id === truthOf(b).home_id;
      const isOrdinary = truthOf(a).kind === 'ordinary' || truthOf(b).kind === 'ordinary';
      for (const found of isOrdinary ? [judgment.found, judgment.ordinaryFound] : [judgment.found]) {
        found.pairs++;
        if (isRight) found.right++;
      }
    }
  return judgment;
}

/** A manually labelled pair of ad ids. Pairs labelled `unsure` are excluded. */
export interface LabelledPair {
  a: string;
  b: string;
  isSame: boolean;
  /** Whether the pair belongs to the held-out third, selected by id, on which no rule or weight was tuned. */
  isUnseen: boolean;
}

/** Parses lines with two ids and `yes`, `no` or `unsure`. */
export function labelledPairs(csv: string): LabelledPair[] {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',') as [string, string, string])
    .filter(([, , label]) => label !== 'unsure')
    .map(([a, b, label]) => ({ a, b, isSame: label === 'yes', isUnseen: (Number(a) + Number(b)) % 3 === 0 }));
}

export interface LabelledJudgment {
  same: Share;
  different: Share;
}

/** @param clusterOf returns the cluster of an ad by id, undefined if the ad was rejected */
export function judgeLabelled(
  pairs: readonly LabelledPair[],
  clusterOf: (id: string) => number | null | undefined,
): LabelledJudgment {
  const judgment: LabelledJudgment = { same: share(), different: share() };
  for (const { a, b, isSame } of pairs) {
    const to = isSame ? judgment.same : judgment.different;
    to.pairs++;
    const cluster = clusterOf(a);
    if (cluster !== null && cluster !== undefined && cluster === clusterOf(b)) to.joined++;
  }
  return judgment;
}
