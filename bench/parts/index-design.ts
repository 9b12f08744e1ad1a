import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { ensureCopy, mergeAlike } from '../index-copies.ts';
import { compare } from '../load/generator.ts';
import type { Side } from '../load/protocol.ts';
import { answersOf, expectSame, readEngineAnswer } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { type BenchRequest, type FamilyName, makeFamily } from '../requests/families.ts';
import { bodyOf, engineRequest } from '../requests/http-requests.ts';

/** As many in both copies: about what an index of this size has after a day of updates. */
const SEGMENTS = 5;
const MOST: Partial<Record<FamilyName, number>> = { 'newest-25': 0.6, count: 0.35, 'offset-20000': 0.2 };

/** The index sort against the same index without it. */
export const indexDesignPart: Part = {
  name: 'index-design',
  summary: 'the sorted index against the same documents without index sort',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const sorted = await ensureCopy(bench, corpus, { name: 'sorted', sorted: true });
  const plain = await ensureCopy(bench, corpus, { name: 'plain', sorted: false });
  const segments = await mergeAlike(corpus, [sorted, plain], SEGMENTS);
  const { origin } = new URL(corpus.config.opensearch.urls[0] as string);
  const side = (index: string, requests: readonly BenchRequest[], body: (request: BenchRequest) => Body): Side => ({
    kind: 'http',
    origin,
    requests: requests.map((request) => engineRequest(index, body(request), '?request_cache=false')),
  });

  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  for (const name of ['newest-25', 'newest-100', 'bbox', 'text', 'count', 'offset-20000'] as const) {
    bench.signal.throwIfAborted();
    const { title, limit, requests } = await makeFamily(name, corpus, facts);
    const sides: Record<string, Side> = {
      sorted: side(sorted, requests, bodyOf),
      plain: side(plain, requests, plainBody),
      ...(name === 'offset-20000' ? { from: side(plain, requests, fromBody) } : {}),
    };
    const names = Object.keys(sides);
    const answers = await Promise.all(names.map((each) => answersOf(sides[each] as Side, readEngineAnswer)));
    for (const other of answers.slice(1)) expectSame(title, answers[0] ?? [], other);
    await bench.load.setSides(sides);
    const { sides: found } = await compare(bench.load, names, {
      connections: 1,
      rounds: bench.rounds,
      sliceMs: bench.sliceMs,
      listLength: requests.length,
    });
    const { sorted: ours, plain: theirs, from } = found;
    if (!ours || !theirs) throw new Error('a side was not measured');
    const share = ours.p50 / (from ?? theirs).p50;
    const most = MOST[name];
    const against = from ? '`from` on the plain index' : 'the plain index';
    rows.push([title, ours.p50, ours.p99, theirs.p50, theirs.p99, from?.p50 ?? '', ours.p50 / theirs.p50]);
    figures.push({
      name: `${title}: p50 as a share of ${against}`,
      value: share,
      unit: '',
      ...(most === undefined ? {} : { target: { atMost: most } }),
    });
    bench.screen.say(`  ${title} (${limit} rows) done`);
  }
  return {
    tables: [
      {
        title: 'The same documents with and without index sort, 1 connection, milliseconds',
        head: ['Request', 'sorted p50', 'p99', 'plain p50', 'p99', 'plain, `from` p50', 'sorted / plain'],
        rows,
      },
    ],
    figures,
    notes: [
      `Both are copies made in the same order by the same bulk requests and force-merged to ${SEGMENTS} segments each (${segments.join(' and ')} now); the cache of whole answers is off.`,
      'The plain index is asked in its own fastest form, sorted by first_seen_at and id alone: city and listing type, the same in all rows, would only cost it time.',
    ],
  };
}

type Body = Record<string, unknown>;

/** The same rows in the same order, without the two leading keys that only the index sort has a use for. */
function plainBody(request: BenchRequest): Body {
  const body = bodyOf(request);
  if (request.limit === 0) return body;
  const { sort, search_after: after, ...rest } = body as { sort: unknown[]; search_after?: unknown[] };
  return { ...rest, sort: sort.slice(2), ...(after ? { search_after: after.slice(2) } : {}) };
}

/** A page by its number of rows to skip. */
function fromBody(request: BenchRequest): Body {
  return { ...plainBody({ ...request, after: null }), from: request.after?.offset ?? 0 };
}
