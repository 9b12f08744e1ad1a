import type pg from 'pg';
import { activeSpan, inSpan } from '#tracing/span.ts';

type Query = pg.Pool['query'];

const MAX_TEXT = 1_000;

/** Returns a query method that runs each query within a trace in a separate span. Parameters are not recorded. */
export function tracedQuery(query: Query): Query {
  const call = query as (...given: unknown[]) => Promise<unknown>;
  return ((...given: unknown[]) => {
    const [statement] = given;
    // `pg.Pool.query` calls a connection's `query` with a callback. The query of the pool already has a span.
    if (activeSpan() === undefined || typeof given.at(-1) === 'function') return call(...given);
    const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
    // Streams of COPY have no text.
    if (typeof text !== 'string') return call(...given);
    const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? '';
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, MAX_TEXT),
    };
    return inSpan({ name: `postgresql ${operation}`, kind: 'client', attributes }, () => call(...given));
  }) as Query;
}
