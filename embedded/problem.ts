/** A problem that the operator can solve. It is printed without a stack. */
export class Problem extends Error {
  override name = 'Problem';

  /** `what` describes the missing thing or the failure. `remedy` lists steps, one per line. */
  constructor(what: string, remedy: readonly string[] = []) {
    super([what, ...remedy.map((line) => `  ${line}`)].join('\n'));
  }
}
