/** Starts workers during tests. @param begin starts one and returns a function that ends it, which is called once */
export function workers<Options>(begin: (options: Partial<Options>) => () => Promise<void>) {
  const stops: (() => Promise<void>)[] = [];
  return {
    /** @returns a function that stops the worker */
    start(options: Partial<Options> = {}): () => Promise<void> {
      const end = begin(options);
      let ended: Promise<void> | undefined;
      const stop = (): Promise<void> => {
        ended ??= end();
        return ended;
      };
      stops.push(stop);
      return stop;
    },
    stopAll: () => Promise.all(stops.map((stop) => stop())),
  };
}
