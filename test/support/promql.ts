/** Labels of a series, with its name as `__name__`. */
type Labels = Readonly<Record<string, string>>;

interface Point {
  labels: Labels;
  value: number;
}

/** Series at a time. */
export interface SeriesStore {
  /** Points of the series at the last scrape. */
  latest(name: string): Point[];
  /** Values since a time in seconds, oldest first. */
  since(name: string, from: number): { labels: Labels; values: [at: number, value: number][] }[];
}

interface Context {
  store: SeriesStore;
  now: number;
}

type Value = number | Point[];
type Expression = (context: Context) => Value;

/** @returns the series of the result @throws Error for syntax that is not supported */
export function evaluate(expression: string, context: Context): Point[] {
  const value = parse(expression)(context);
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-zA-Z_]\w*)|"([^"]*)"|(==|[-+*/<>(){}[\],=]))/y;
const OPERATORS: readonly Readonly<Record<string, (a: number, b: number) => number | boolean>>[] = [
  { '==': (a, b) => a === b, '>': (a, b) => a > b, '<': (a, b) => a < b },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => a / b },
];
const AGGREGATIONS: Readonly<Record<string, (values: number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses the subset of PromQL that `monitoring/alerts.yml` uses: selectors, `rate`, aggregations, operators, `time()`. */
function parse(text: string): Expression {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text))
    tokens.push(found[3] === undefined ? (found[1] ?? found[2] ?? (found[4] as string)) : `"${found[3]}`);
  const read = tokens.join('').replaceAll('"', '');
  if (read !== text.replace(/[\s"]/g, '')) throw new Error(`not supported: ${text}`);
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const accept = (token: string): boolean => tokens[at] === token && at++ >= 0;
  const expect = (token: string): void => {
    if (!accept(token)) throw new Error(`${token} expected before ${tokens.slice(at).join(' ')} in ${text}`);
  };
  const list = (end: string, item: () => void): void => {
    while (!accept(end)) {
      item();
      accept(',');
    }
  };

  const binary = (level: number): Expression => {
    const operators = OPERATORS[level];
    if (operators === undefined) return primary();
    let left = binary(level + 1);
    for (let operator = operators[tokens[at] ?? '']; operator; operator = operators[tokens[at] ?? '']) {
      at++;
      left = combine(left, operator, binary(level + 1));
    }
    return left;
  };
  const primary = (): Expression => {
    const token = next();
    if (/^\d/.test(token)) return () => Number(token);
    if (token === '(') {
      const inner = binary(0);
      expect(')');
      return inner;
    }
    const aggregation = AGGREGATIONS[token];
    if (aggregation) return aggregate(aggregation);
    if (token === 'time') {
      expect('(');
      expect(')');
      return ({ now }) => now;
    }
    if (token === 'rate') {
      expect('(');
      const selected = selector(next());
      expect('[');
      const range = Number(next()) * (SECONDS[next()] ?? Number.NaN);
      expect(']');
      expect(')');
      return rate(selected, range);
    }
    if (token === 'histogram_quantile') {
      expect('(');
      const share = Number(next());
      expect(',');
      const inner = binary(0);
      expect(')');
      return (context) => quantile(share, inner(context) as Point[]);
    }
    const { name, matches } = selector(token);
    return ({ store }) => store.latest(name).filter(({ labels }) => matches(labels));
  };
  const selector = (name: string) => {
    const wanted: [string, string][] = [];
    if (accept('{'))
      list('}', () => {
        const label = next();
        expect('=');
        wanted.push([label, next().slice(1)]);
      });
    return { name, matches: (labels: Labels) => wanted.every(([label, value]) => labels[label] === value) };
  };
  const aggregate = (reduce: (values: number[]) => number): Expression => {
    const by: string[] = [];
    if (accept('by')) {
      expect('(');
      list(')', () => by.push(next()));
    }
    expect('(');
    const inner = binary(0);
    expect(')');
    return (context) =>
      grouped(inner(context) as Point[], (labels) => pick(labels, by)).map(({ labels, points }) => ({
        labels,
        value: reduce(points.map(({ value }) => value)),
      }));
  };

  const whole = binary(0);
  if (at < tokens.length) throw new Error(`not supported: ${text}`);
  return whole;
}

const pick = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));

function grouped(points: readonly Point[], group: (labels: Labels) => Labels) {
  const groups = Map.groupBy(points, ({ labels }) => JSON.stringify(Object.entries(group(labels)).sort()));
  return [...groups].map(([key, members]) => ({
    labels: Object.fromEntries(JSON.parse(key)) as Labels,
    points: members,
  }));
}

const withoutName = ({ __name__: _, ...labels }: Labels): Labels => labels;

/** Applies an operator to numbers, and to series with equal labels. A comparison keeps the series for which it holds. */
function combine(
  left: Expression,
  operator: (a: number, b: number) => number | boolean,
  right: Expression,
): Expression {
  const apply = (point: Point, a: number, b: number): Point[] => {
    const result = operator(a, b);
    if (typeof result === 'number') return [{ labels: withoutName(point.labels), value: result }];
    return result ? [point] : [];
  };
  return (context) => {
    const [a, b] = [left(context), right(context)];
    if (typeof a === 'number' && typeof b === 'number') return Number(operator(a, b));
    if (typeof b === 'number') return (a as Point[]).flatMap((point) => apply(point, point.value, b));
    if (typeof a === 'number') return b.flatMap((point) => apply(point, a, point.value));
    const key = ({ labels }: Point): string => JSON.stringify(Object.entries(withoutName(labels)).sort());
    const others = new Map(b.map((point) => [key(point), point.value]));
    return a.flatMap((point) => {
      const other = others.get(key(point));
      return other === undefined ? [] : apply(point, point.value, other);
    });
  };
}

/** Increase per second. A counter that fell was restarted. */
function rate({ name, matches }: { name: string; matches(labels: Labels): boolean }, range: number): Expression {
  return ({ store, now }) =>
    store.since(name, now - range).flatMap(({ labels, values }) => {
      const [first, last] = [values[0], values.at(-1)];
      if (!matches(labels) || !first || !last || first === last) return [];
      const increase = values.reduce((sum, [, value], index) => {
        const before = index === 0 ? value : (values[index - 1]?.[1] as number);
        return sum + (value < before ? value : value - before);
      }, 0);
      return [{ labels: withoutName(labels), value: increase / (last[0] - first[0]) }];
    });
}

/** Interpolates a quantile within the buckets of histograms. */
function quantile(share: number, buckets: readonly Point[]): Point[] {
  return grouped(buckets, ({ le: _, ...labels }) => withoutName(labels)).map(({ labels, points }) => {
    const sorted = points
      .map((point) => ({ le: Number(point.labels.le?.replace('+Inf', 'Infinity')), value: point.value }))
      .sort((a, b) => a.le - b.le);
    const rank = share * (sorted.at(-1)?.value ?? 0);
    const found = sorted.findIndex(({ value }) => value >= rank);
    const [before, bucket] = [sorted[found - 1] ?? { le: 0, value: 0 }, sorted[found] as { le: number; value: number }];
    if (!(rank > 0)) return { labels, value: Number.NaN };
    if (bucket.le === Number.POSITIVE_INFINITY) return { labels, value: before.le };
    const part = (rank - before.value) / (bucket.value - before.value);
    return { labels, value: before.le + (bucket.le - before.le) * part };
  });
}
