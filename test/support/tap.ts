/** Numbers of a run's tests by result. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A failed test with its output, so that the end of a long log shows the reason. */
interface Failure {
  title: string;
  lines: string[];
}

/** Maximum number of lines of a failure: enough for an assertion with its difference. */
const FAILURE_LINES = 40;

const RESULT = /^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO).*)?$/;

/** Converts lines of TAP to readable lines, and counts the results. */
export class TapReader {
  readonly tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  readonly failures: Failure[] = [];
  #failure: Failure | undefined;

  /** @returns the line to show, if any */
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

  /** Returns the last line of a run. */
  closingLine(): string {
    const { passed, failed, skipped } = this.tally;
    return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}
