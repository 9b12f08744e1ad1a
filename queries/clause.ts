/** An OpenSearch query clause as JSON. */
export type Clause = Readonly<Record<string, unknown>>;

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });
