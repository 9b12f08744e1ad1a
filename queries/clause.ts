export type Clause = Readonly<Record<string, unknown>>;

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });

export const allOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { filter: clauses } };

export const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };
