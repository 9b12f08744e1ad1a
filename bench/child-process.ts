// Runs a module's `measure` function in a separate process. The parent names the module and passes the input.
interface Orders {
  module: string;
  input: unknown;
}

process.once('message', async ({ module, input }: Orders) => {
  try {
    const { measure } = (await import(module)) as { measure: Measure<unknown, unknown> };
    const result = await measure(input, (progress) => process.send?.({ progress }));
    process.send?.({ result });
  } catch (error) {
    process.send?.({ failure: String((error as Error).stack ?? error) });
  } finally {
    process.disconnect();
  }
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());

/** @param report sends progress to the parent process */
export type Measure<Input, Result> = (input: Input, report: (progress: Progress) => void) => Promise<Result>;

export interface Progress {
  stage: string;
  done: number;
}

export type ChildMessage = { progress: Progress } | { result: unknown } | { failure: string };
