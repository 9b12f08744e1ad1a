/** A problem that the person at the keyboard can solve: shown as it is, without a stack. */
export class Problem extends Error {
  /**
   * @param {string} what what is missing or went wrong
   * @param {string[]} remedy what to do, a line each
   */
  constructor(what, remedy = []) {
    super([what, ...remedy.map((line) => `  ${line}`)].join('\n'));
    this.name = 'Problem';
  }
}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}
