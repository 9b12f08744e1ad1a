/** Printed without a stack, because the operator can solve it. */
export class Problem extends Error {
  override name = 'Problem';

  /** @param remedy steps, one per line */
  constructor(what: string, remedy: readonly string[] = []) {
    super([what, ...remedy.map((line) => `  ${line}`)].join('\n'));
  }
}
