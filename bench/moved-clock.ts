// Preloaded into the API process (`--import`): sets the clock to the time in `BENCH_CLOCK`, from which it advances. All
// listings in a corpus are from one day, and statistics cover the last 30 days.
const START = Date.parse(process.env.BENCH_CLOCK ?? '');
if (Number.isNaN(START)) throw new Error('BENCH_CLOCK is not a valid time');

const offset = START - Date.now();
const now = (): number => Reflect.apply(Real.now, Real, []) + offset;
const Real = Date;

globalThis.Date = new Proxy(Real, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
