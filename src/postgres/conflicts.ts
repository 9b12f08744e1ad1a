import pg from 'pg';

/** Returns whether Postgres rejected a row because another row has the same unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}
