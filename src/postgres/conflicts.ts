import pg from 'pg';

/** Whether Postgres refused a row because another has its unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}
