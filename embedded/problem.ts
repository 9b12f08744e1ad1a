/** A problem that the operator can solve: shown without a stack. */
export class Problem extends Error {
  override name = 'Problem';

  /** `what` is missing or went wrong; `remedy` says what to do, a line each. */
  constructor(what: string, remedy: readonly string[] = []) {
    super([what, ...remedy.map((line) => `  ${line}`)].join('\n'));
  }
}
