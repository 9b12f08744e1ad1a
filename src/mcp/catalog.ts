import type { CallToolRequestParams, Tool as ProtocolTool } from '@modelcontextprotocol/server';
import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { nearestValue } from '#domain/suggestions/values.ts';
import { quote } from '#domain/text/quote.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { resultSchemaOf, type Tool } from './tools.ts';

/**
 * Operations with a tool of their own, in the order of the list: what most people ask for. An assistant loads the entire
 * list into its context, so the other operations have two tools together.
 */
const LISTED = [
  'searchListings',
  'countListings',
  'getListing',
  'getMarketPosition',
  'getMarketSummary',
  'compareNeighborhoods',
  'getMarketTrends',
  'getRentalYield',
  'listMarketDeals',
  'searchProjects',
  'getMarketTransactions',
  'suggest',
  'parseListings',
  'getLimits',
];

export const DESCRIBE = 'describeOperation';
export const CALL = 'callOperation';
const OPERATION = { type: 'string', description: 'Operation id, for example `listEnums`.' };

export function listTools(tools: readonly Tool[], apis: readonly Scope[]): ProtocolTool[] {
  const reached = tools.filter(({ scope }) => scope === null || apis.includes(scope));
  const listed = LISTED.flatMap((name) => reached.filter((tool) => tool.name === name));
  const others = reached.filter((tool) => !listed.includes(tool)).map(({ name, title }) => `${name}: ${title}`);
  const described = new Set<string>();
  return [
    ...listed.map(({ name, title, description, inputSchema, readOnly }) =>
      protocolTool(name, title, readOnly, description, {
        ...inputSchema,
        properties: Object.fromEntries(
          Object.entries(inputSchema.properties).map(([argument, schema]) => {
            const key = JSON.stringify([argument, schema]);
            const isRepeated = described.has(key);
            described.add(key);
            return [argument, isRepeated ? typeOf(schema) : schema];
          }),
        ),
      }),
    ),
    protocolTool(
      DESCRIBE,
      'Describe an operation',
      true,
      `Returns the description, price, arguments and result of an operation. Costs 0 units. Every tool is an operation; operations without a tool are:\n${others.join('\n')}`,
      { type: 'object', properties: { operation: OPERATION }, required: ['operation'] },
    ),
    protocolTool(
      CALL,
      'Call an operation',
      false,
      `Calls an operation by its id, with the arguments that ${DESCRIBE} returns. Costs what the operation costs.`,
      {
        type: 'object',
        properties: { operation: OPERATION, arguments: { type: 'object', description: 'Arguments by name.' } },
        required: ['operation'],
      },
    ),
  ];
}

function typeOf({ type, items }: JsonSchema): JsonSchema {
  return items === undefined ? { type } : { type, items: { type: (items as JsonSchema).type } };
}

function protocolTool(
  name: string,
  title: string,
  readOnlyHint: boolean,
  description: string,
  inputSchema: object,
): ProtocolTool {
  const annotations = { title, readOnlyHint, destructiveHint: false, openWorldHint: false };
  return { name, title, description, inputSchema: inputSchema as ProtocolTool['inputSchema'], annotations };
}

export function operationOf({ name, arguments: args = {} }: CallToolRequestParams) {
  if (name === CALL) return { operation: args.operation, args: args.arguments ?? {} };
  return name === DESCRIBE ? { operation: args.operation, args: {} } : { operation: name, args };
}

export function describeTool(tool: Tool): object {
  const { name, title, description, inputSchema, scope } = tool;
  return { name, title, description, scope, inputSchema, resultSchema: resultSchemaOf(tool) };
}

/** @throws ApiError `invalid_value` if there is no operation with this id for data keys */
export function requireOperation(tools: readonly Tool[], operation: unknown): Tool {
  const found = tools.find(({ name }) => name === operation);
  if (found) return found;
  const names = tools.map(({ name }) => name);
  const likely = typeof operation === 'string' ? nearestValue(operation, names) : null;
  const hint = likely ? `Did you mean \`${likely}\`?` : `The description of ${DESCRIBE} lists the operations.`;
  const message = `\`operation\` must be the id of an operation, not ${quote(String(operation))}. ${hint}`;
  throw new ApiError('invalid_value', { param: 'operation', message });
}
