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

export function* pairsOf<Item>(group: readonly Item[]): Generator<readonly [Item, Item]> {
  for (const [at, a] of group.entries()) for (const b of group.slice(at + 1)) yield [a, b];
}

/** Evaluates merged pairs against the ground truth. @param clusters each ad's cluster; null if the ad was rejected */
export function judgeAds(ads: readonly { truth: HomeTruth }[], clusters: readonly (number | null)[]) {
  // Pairs of ads for one ordinary home; merged pairs with an ordinary home, of which `joined` are correct; pairs of ads
  // for different units of one compound.
  const [ordinary, ordinaryFound, neighbors] = [share(), share(), share()];
  const known = ads.map(({ truth }, at) => ({ ...truth, cluster: clusters[at] ?? -1 - at }));
  for (const group of Map.groupBy(known, (ad) => ad.home_id).values())
    if (group[0]?.kind === 'ordinary') for (const [a, b] of pairsOf(group)) add(ordinary, a.cluster === b.cluster);
  for (const [compound, group] of Map.groupBy(known, (ad) => ad.compound_id))
    for (const [a, b] of compound === null ? [] : pairsOf(group))
      if (a.home_id !== b.home_id) add(neighbors, a.cluster === b.cluster);
  for (const group of Map.groupBy(known, (ad) => ad.cluster).values())
    for (const [a, b] of pairsOf(group))
      if (a.kind === 'ordinary' || b.kind === 'ordinary') add(ordinaryFound, a.home_id === b.home_id);
  return { ordinary, ordinaryFound, neighbors };
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

/** @param clusterOf returns the cluster of an ad by id, undefined if the ad was rejected */
export function judgeLabelled(
  pairs: readonly LabelledPair[],
  clusterOf: (id: string) => number | null | undefined,
): Record<'same' | 'different', Share> {
  const judgment = { same: share(), different: share() };
  for (const { a, b, isSame } of pairs) {
    const cluster = clusterOf(a) ?? null;
    add(isSame ? judgment.same : judgment.different, cluster !== null && cluster === clusterOf(b));
  }
  return judgment;
}
