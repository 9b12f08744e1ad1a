import type { CallToolRequestParams, Tool as ProtocolTool } from '@modelcontextprotocol/server';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import { COST_PARAMETERS } from '#src/http/cost-parameters.ts';
import { explainRefused } from '#src/http/errors/refused-value.ts';
import { resultSchemaOf, type Tool, typeOf } from './tools.ts';

/**
 * With a tool of their own, most requested first. An assistant loads the whole list into its context, so the others
 * share two tools.
 */
const LISTED =
  'searchListings countListings getListing getMarketPosition getMarketSummary compareNeighborhoods getMarketTrends estimatePrice listMarketDeals searchProjects getMarketTransactions suggest parseListings getLimits'.split(
    ' ',
  );

/** Stated once, for all operations. */
const COST_NAMES = new Set<string>(COST_PARAMETERS.map(({ name }) => name));

export const DESCRIBE = 'describeOperation';
export const CALL = 'callOperation';
const operation = { type: 'string', description: 'Operation id, for example `listEnums`.' };
const search = {
  type: 'string',
  description:
    'Words for what you need, in English or Arabic, to find operations instead: `rental yield`, `عائد الإيجار`.',
};
const args = { type: 'object', description: 'Arguments by name.' };

export function listTools(tools: readonly Tool[], apis: readonly Scope[]): ProtocolTool[] {
  const reached = tools.filter(({ endpoint: { scope } }) => scope === null || apis.includes(scope));
  const listed = LISTED.flatMap((name) => reached.filter((tool) => tool.name === name));
  const others = reached.filter((tool) => !listed.includes(tool)).map(({ name, title }) => `${name}: ${title}`);
  const described = new Set<string>();
  const firstWith = new Map<string, string>();
  /** Arguments of several tools are described once, and so are values of several arguments. */
  const shorten = ([name, schema]: [string, JsonSchema]): [string, JsonSchema] => {
    const isNew = described.size !== described.add(JSON.stringify([name, schema])).size;
    if (!isNew) return [name, typeOf(schema)];
    const { enum: values } = (schema.items ?? {}) as JsonSchema;
    const first = values === undefined ? name : firstWith.get(JSON.stringify(values));
    if (values !== undefined && first === undefined) firstWith.set(JSON.stringify(values), name);
    if (first === undefined || first === name) return [name, withoutUsualLimits(schema)];
    const { description = '' } = schema;
    return [name, { ...typeOf(schema), description: `${description} Values: those of \`${first}\`.` }];
  };
  return [
    ...listed.map((tool) => {
      const stated = Object.entries(tool.inputSchema.properties).filter(([name]) => !COST_NAMES.has(name));
      const properties = Object.fromEntries(stated.map(shorten));
      return present(tool, { ...tool.inputSchema, properties });
    }),
    present(
      { name: DESCRIBE, title: 'Describe an operation', description: describing(others), readOnly: true },
      { properties: { operation, search } },
    ),
    present(
      { name: CALL, title: 'Call an operation', description: CALLING, readOnly: false },
      { properties: { operation, arguments: args }, required: ['operation'] },
    ),
  ];
}

/** Limits that an assistant rarely reaches. Descriptions of single operations have them. */
const USUAL_LIMITS: Readonly<Record<string, readonly unknown[]>> = {
  minItems: [1],
  maxItems: [100],
  minLength: [1],
  minimum: [-180],
  maximum: [180, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER],
};
const withoutUsualLimits = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (name, value) => (USUAL_LIMITS[name]?.includes(value) ? undefined : value));

const describing = (others: readonly string[]): string =>
  `Returns the description, price, arguments and result of an operation, or finds operations by \`search\`. Costs 0 units. Operations that cost units accept \`max_units\`, above which they are refused, and \`dry_run\`, which returns the cost. Every tool is an operation; operations without a tool are:\n${others.join('\n')}`;
const CALLING = `Calls an operation by its id, with the arguments that ${DESCRIBE} returns. Costs what the operation costs.`;

type ToolSummary = Pick<Tool, 'name' | 'title' | 'description' | 'readOnly'>;
const present = ({ name, title, description, readOnly }: ToolSummary, inputSchema: object): ProtocolTool => ({
  name,
  title,
  description,
  inputSchema: { ...inputSchema, type: 'object' },
  // The protocol defines `destructiveHint` for tools that are not read-only.
  annotations: { title, readOnlyHint: readOnly, ...(!readOnly && { destructiveHint: false }), openWorldHint: false },
});

export function operationOf({ name, arguments: given = {} }: CallToolRequestParams) {
  if (name !== CALL && name !== DESCRIBE) return { operation: name, args: given };
  const { operation: id, arguments: nested, ...beside } = given;
  return { operation: id, args: nested ?? beside };
}

/** With the price, but without arguments. */
export const summarizeTool = ({ name, title, description, endpoint: { scope } }: Tool): object => ({
  ...{ operation: name, title, description, scope },
});

export function describeTool(tool: Tool): object {
  const { name, title, description, inputSchema, endpoint } = tool;
  return { name, title, description, scope: endpoint.scope, inputSchema, resultSchema: resultSchemaOf(tool) };
}

/** Lists all ids. */
export function explainOperation(tools: readonly Tool[], given: unknown): string {
  const schema = { type: 'string', enum: tools.map(({ name }) => name) };
  const accepts = (name: unknown): boolean => tools.some((tool) => tool.name === name);
  return explainRefused({ name: 'operation', given, schema, notation: 'json', accepts });
}
