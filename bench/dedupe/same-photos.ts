/** A photo, identified by the hash of its bytes and its perceptual hash, both hexadecimal. */
export interface SeenPhoto {
  sha: string;
  phash?: string;
}

/** Maximum number of differing bits (of 64) between perceptual hashes of the same photo. */
const NEAR_BITS = 8;
/**
 * If two near hashes are split into this many bands, at least one band differs in at most two bits. Lookups therefore
 * use bands with up to two bits flipped.
 */
const PARTS = 4;
const PART_BITS = 16;
const CHANGES = [0, ...Array.from({ length: PART_BITS }, (_, bit) => 1 << bit)];
const MASKS = [...new Set(CHANGES.flatMap((one) => CHANGES.map((other) => one ^ other)))];

/**
 * Returns a key for each photo on each ad. Keys are equal for the same photo: equal bytes or near perceptual hashes.
 * Photos without a perceptual hash are compared only by their bytes.
 */
export function photoKeysOf(ads: readonly (readonly SeenPhoto[])[]): string[][] {
  const photos = new Map<string, SeenPhoto>();
  for (const photo of ads.flat()) photos.set(photo.sha, photo);
  const all = [...photos.values()];
  const owners = all.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (owners[root] !== root) root = owners[root] as number;
    owners[at] = root;
    return root;
  };
  const tables = Array.from({ length: PARTS }, () => new Map<number, number[]>());
  const hashes = all.map(({ phash }) => (phash === undefined ? null : BigInt(`0x${phash}`)));
  for (const [at, hash] of hashes.entries()) {
    if (hash === null) continue;
    for (const [part, table] of tables.entries()) {
      const value = Number((hash >> BigInt(part * PART_BITS)) & 0xffffn);
      for (const mask of MASKS)
        for (const other of table.get(value ^ mask) ?? [])
          if (bitsApart(hash, hashes[other] as bigint) <= NEAR_BITS) owners[rootOf(at)] = rootOf(other);
      table.set(value, [...(table.get(value) ?? []), at]);
    }
  }
  const keys = new Map(all.map(({ sha }, at) => [sha, (all[rootOf(at)] as SeenPhoto).sha]));
  return ads.map((own) => own.map(({ sha }) => keys.get(sha) as string));
}

function bitsApart(a: bigint, b: bigint): number {
  let bits = 0;
  for (let rest = a ^ b; rest > 0n; rest &= rest - 1n) bits++;
  return bits;
}
