/** An OpenSearch query clause as JSON. */
export type Clause = Readonly<Record<string, unknown>>;

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });

/** Matches documents that match all of the clauses. */
export const allOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { filter: clauses } };

/** Matches documents that match any of the clauses. */
export const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };
