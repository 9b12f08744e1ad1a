/** Returns a random number in [0, 1). */
export const randomShare = (random: (size: number) => Uint8Array): number =>
  Buffer.from(random(4)).readUInt32LE(0) / 2 ** 32;
