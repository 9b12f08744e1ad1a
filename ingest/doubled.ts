/** Returns a copy of a typed array with twice its length, whose second half is zero. */
export function doubled<Array extends Float64Array | Int32Array | Uint16Array | Uint8Array>(array: Array): Array {
  const copy = new (array.constructor as new (length: number) => Array)(array.length * 2);
  copy.set(array);
  return copy;
}
