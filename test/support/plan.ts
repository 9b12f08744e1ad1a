/** Environment variable with the plan of a run as JSON. */
export const PLAN_VARIABLE = 'TEST_PLAN';

/** Plan of a run, which the runner passes to the suites. */
export interface TestPlan {
  /** Paths of test files by suite. */
  files: Readonly<Record<string, readonly string[]>>;
  /** Order of the files. */
  seed: number;
  /** File to which a line with the time of each test file is added. */
  times: string;
}

/** A line of the file of times. */
export interface FileTime {
  file: string;
  /** Duration in milliseconds. */
  ms: number;
  /** Processor time of the worker's thread in milliseconds. */
  cpuMs: number;
}
