// Loaded before the API (`--import`): moves its clock to a moment that the environment names, from which it goes on. The
// listings of a corpus are of one day, and statistics look at the last 30.
const START = Date.parse(process.env.BENCH_CLOCK ?? '');
if (Number.isNaN(START)) throw new Error('BENCH_CLOCK names no moment');

const offset = START - Date.now();
const now = (): number => Reflect.apply(Real.now, Real, []) + offset;
const Real = Date;

globalThis.Date = new Proxy(Real, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
