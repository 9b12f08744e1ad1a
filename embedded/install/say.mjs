/** A problem that the operator can solve. It is printed without a stack. */
export class Problem extends Error {
  /** @param {string} what description of the problem @param {string[]} remedy steps, one per line */
  constructor(what, remedy = []) {
    super([what, ...remedy.map((line) => `  ${line}`)].join('\n'));
    this.name = 'Problem';
  }
}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}
