/** Number of tests in a run by result. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A failed test and its output, which are repeated at the end of a long log. */
interface Failure {
  title: string;
  lines: string[];
}

/** Maximum number of lines per failure, enough for an assertion with its diff. */
const FAILURE_LINES = 40;

const RESULT = /^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO).*)?$/;

/** Converts TAP lines to readable lines and counts the results. */
export class TapReader {
  readonly tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  readonly failures: Failure[] = [];
  #failure: Failure | undefined;

  /** @returns the line to show, or undefined */
  read(line: string): string | undefined {
    const result = RESULT.exec(line);
    if (!result) {
      if (/^(TAP version|1\.\.|# |\s*$)/.test(line)) return;
      if (this.#failure && this.#failure.lines.length < FAILURE_LINES) this.#failure.lines.push(line);
      return line;
    }
    this.#failure = undefined;
    const [, not, title = '', directive] = result;
    if (directive) {
      this.tally.skipped++;
      return `  - ${title}`;
    }
    if (not) {
      this.tally.failed++;
      this.#failure = { title, lines: [] };
      this.failures.push(this.#failure);
      return `  ✘ ${title}`;
    }
    this.tally.passed++;
    return `  ✔ ${title}`;
  }

  /** Returns the summary line of a run. */
  closingLine(): string {
    const { passed, failed, skipped } = this.tally;
    return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}
