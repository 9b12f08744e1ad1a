import type { CallToolRequestParams, Tool as ProtocolTool } from '@modelcontextprotocol/server';
import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { nearestParameters } from '#domain/suggestions/parameters.ts';
import { quote } from '#domain/text/quote.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { resultSchemaOf, type Tool } from './tools.ts';

/**
 * Operations with a tool of their own, most requested first. An assistant loads the whole list into its context, so the
 * others share two tools.
 */
const LISTED =
  'searchListings countListings getListing getMarketPosition getMarketSummary compareNeighborhoods getMarketTrends getRentalYield listMarketDeals searchProjects getMarketTransactions suggest parseListings getLimits'.split(
    ' ',
  );

export const DESCRIBE = 'describeOperation';
export const CALL = 'callOperation';
const operation = { type: 'string', description: 'Operation id, for example `listEnums`.' };
const args = { type: 'object', description: 'Arguments by name.' };

export function listTools(tools: readonly Tool[], apis: readonly Scope[]): ProtocolTool[] {
  const reached = tools.filter(({ scope }) => scope === null || apis.includes(scope));
  const listed = LISTED.flatMap((name) => reached.filter((tool) => tool.name === name));
  const others = reached.filter((tool) => !listed.includes(tool)).map(({ name, title }) => `${name}: ${title}`);
  const described = new Set<string>();
  /** Arguments of several tools are described once. */
  const shorten = ([name, schema]: [string, JsonSchema]): [string, JsonSchema] => {
    const isNew = described.size !== described.add(JSON.stringify([name, schema])).size;
    return [name, isNew ? schema : typeOf(schema)];
  };
  const shown = [
    ...listed.map(({ inputSchema, ...tool }) => {
      const properties = Object.fromEntries(Object.entries(inputSchema.properties).map(shorten));
      return { ...tool, inputSchema: { ...inputSchema, properties: properties as object } };
    }),
    {
      name: DESCRIBE,
      title: 'Describe an operation',
      readOnly: true,
      description: `Returns the description, price, arguments and result of an operation. Costs 0 units. Every tool is an operation; operations without a tool are:\n${others.join('\n')}`,
      inputSchema: { type: 'object', properties: { operation }, required: ['operation'] },
    },
    {
      name: CALL,
      title: 'Call an operation',
      readOnly: false,
      description: `Calls an operation by its id, with the arguments that ${DESCRIBE} returns. Costs what the operation costs.`,
      inputSchema: { type: 'object', properties: { operation, arguments: args }, required: ['operation'] },
    },
  ];
  return shown.map(({ name, title, description, inputSchema, readOnly: readOnlyHint }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema as ProtocolTool['inputSchema'],
    annotations: { title, readOnlyHint, destructiveHint: false, openWorldHint: false },
  }));
}

const typeOf = ({ type, items }: JsonSchema): JsonSchema =>
  items === undefined ? { type } : { type, items: { type: (items as JsonSchema).type } };

export function operationOf({ name, arguments: given = {} }: CallToolRequestParams) {
  if (name !== CALL && name !== DESCRIBE) return { operation: name, args: given };
  const { operation: id, arguments: nested, ...beside } = given;
  return { operation: id, args: nested ?? beside };
}

export function describeTool(tool: Tool): object {
  const { name, title, description, inputSchema, scope } = tool;
  return { name, title, description, scope, inputSchema, resultSchema: resultSchemaOf(tool) };
}

/** Other APIs name operations with other verbs. */
const VERB = /^(get|list|find|fetch|search|read)_?/i;

/** @throws ApiError `invalid_value` if there is no operation with this id for data keys */
export function requireOperation(tools: readonly Tool[], id: unknown): Tool {
  const found = tools.find(({ name }) => name === id);
  if (found) return found;
  const text = String(id);
  const message = `\`operation\` must be the id of an operation, not ${quote(text)}. ${suggestOperation(tools, text)}`;
  throw new ApiError('invalid_value', { param: 'operation', message });
}

export function suggestOperation(tools: readonly Tool[], id: string): string {
  const names = tools.map(({ name }) => name);
  const [likely] = [id, id.replace(VERB, '')].flatMap((each) => nearestParameters(each, names));
  return likely ? `Did you mean \`${likely}\`?` : `The description of ${DESCRIBE} lists the operations.`;
}
