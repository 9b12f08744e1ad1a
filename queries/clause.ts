/** A clause of OpenSearch's query language, as JSON. */
export type Clause = Readonly<Record<string, unknown>>;

/** A JSON schema, as ajv and OpenAPI 3.1 take it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });
