/** Counts of a run's tests by result. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const RESULT = /^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO).*)?$/;

/** Turns lines of TAP into lines for people, counting the results on the way. */
export class TapReader {
  readonly tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  readonly failures: string[] = [];

  /** @returns the line to show, if any */
  read(line: string): string | undefined {
    const result = RESULT.exec(line);
    if (!result) return /^(TAP version|1\.\.|# |\s*$)/.test(line) ? undefined : line;
    const [, not, title = '', directive] = result;
    if (directive) {
      this.tally.skipped++;
      return `  - ${title}`;
    }
    if (not) {
      this.tally.failed++;
      this.failures.push(title);
      return `  ✘ ${title}`;
    }
    this.tally.passed++;
    return `  ✔ ${title}`;
  }

  /** The plain line that a run ends with. */
  closingLine(): string {
    const { passed, failed, skipped } = this.tally;
    return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}
