import type { JsonSchema } from '#domain/json-schema.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import type { CodeSample } from '#src/openapi/samples.ts';
import type { Json } from '#src/openapi/schemas.ts';

export interface OpenApi {
  servers: readonly [{ url: string }];
  tags: readonly { name: string; description: string; 'x-displayName'?: string }[];
  paths: Readonly<
    Record<string, { get?: OperationObject; post?: OperationObject; servers?: readonly [{ url: string }] }>
  >;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  deprecated?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
  examples?: { default: { value: unknown } };
}

interface Content {
  content: { 'application/json': { schema: JsonSchema; example?: unknown } };
}

interface OperationObject {
  operationId: string;
  tags: readonly [string];
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters: readonly Parameter[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content & { 'x-codes'?: readonly string[] }>>;
  'x-units': { units: number; per?: number; parameter?: string; rows?: { units: number; per: number } };
  'x-scope': Scope | null;
  'x-audience': 'public' | 'data' | 'admin';
  'x-codeSamples': readonly CodeSample[];
}

export interface Operation extends OperationObject {
  method: 'GET' | 'POST';
  path: string;
  server: string;
  /** The last segment of the path of the operation's page. */
  slug: string;
}

/** Replaces a reference by the component. Keywords beside the reference have priority. */
export function resolveSchema({ components }: OpenApi, { $ref, ...schema }: JsonSchema): JsonSchema {
  const name = ($ref as string | undefined)?.split('/').at(-1);
  return name === undefined ? schema : { ...components.schemas[name], ...schema };
}

/** The schema of a parameter is a value or a list of values. */
function inPlace(document: OpenApi, schema: JsonSchema): JsonSchema {
  const { items, ...resolved } = resolveSchema(document, schema);
  return items === undefined ? resolved : { ...resolved, items: resolveSchema(document, items as JsonSchema) };
}

export function operationsOf(openApi: Json): Operation[] {
  const document = openApi as unknown as OpenApi;
  const { paths, servers } = document;
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const described = item[method];
      if (!described) return [];
      return {
        ...described,
        parameters: described.parameters.map((each) => ({ ...each, schema: inPlace(document, each.schema) })),
        method: method === 'get' ? 'GET' : 'POST',
        path,
        server: (item.servers ?? servers)[0].url,
        slug: described.operationId.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase(),
      } as const;
    }),
  );
}
