import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/**
 * Tests client generators besides those of the released clients: they accept the served OpenAPI document, the generated
 * clients compile unchanged, and their calls return the data of the API.
 */
const execFile = promisify(execFileWithCallback);
const PROJECT = join(import.meta.dirname, '..', '..');
const TOOLS = join(PROJECT, 'clients', 'tools');
const NODE_TOOLS = join(TOOLS, 'node_modules');
const PYTHON_TOOLS = join(TOOLS, '.venv', 'bin');
/** Milliseconds. Maven and Go fetch the packages of their clients on the first run. */
const LIMIT = 480_000;

let app: TestApp;
let city: string;
let document: string;
test.before(async () => {
  app = await sharedApp();
  city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    // Ids of more than 32 bits.
    Array.from({ length: 7 }, (_, index) =>
      makeListing({ id: 5_000_000_001 + index, location: { city }, property_type: 'villa' }),
    ),
  );
  const response = await app.request('/v1/openapi.json');
  if (response.status !== 200) throw new Error(`the document was returned with status ${response.status}`);
  document = response.text;
});

/** Expected output of every client: a page of a search, a missing listing, and a created export. */
const PRINTED = ['4 rows, more: true', '404 listing_not_found', 'listing_changes queued'];

/** Import path of the generated client. */
const MADE = './made';

const HEY_API = `import { createClient } from '${MADE}/client';
import { createExport, getListing, searchListings } from '${MADE}';
const { API, KEY, CITY = '' } = process.env;
const client = createClient({ baseUrl: API, auth: KEY });
const query = { city: CITY, listing_type: 'rent' as const, property_type: ['villa' as const, 'apartment' as const], limit: 4 };
const first = await searchListings({ client, query });
console.log(\`\${first.data?.data.length} rows, more: \${first.data?.pagination.has_more}\`);
const missing = await getListing({ client, path: { id: 1 } });
console.log(missing.response?.status, missing.error?.error.code);
const changes = await createExport({
  client,
  body: { dataset: 'listing_changes', format: 'ndjson', filters: { released_from: '2026-10-01T00:00:00Z', city: [CITY] } },
});
console.log(changes.data?.data.dataset, changes.data?.data.status);
`;

const OAPI_CODEGEN = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx, city := context.Background(), os.Getenv("CITY")
	client := must(NewClientWithResponses(os.Getenv("API"), WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
			return nil
		})))
	limit := 4
	query := SearchListingsParams{City: city, ListingType: Rent, PropertyType: &[]PropertyType{"villa", "apartment"}, Limit: &limit}
	first := must(client.SearchListingsWithResponse(ctx, &query)).JSON200
	fmt.Printf("%d rows, more: %t\\n", len(first.Data), first.Pagination.HasMore)
	missing := must(client.GetListingWithResponse(ctx, 1, nil))
	fmt.Println(missing.StatusCode(), missing.JSON404.Error.Code)

	var cities ListingChangesFiltersByReleasedFrom_City
	if err := cities.FromListingChangesFiltersByReleasedFromCity0([]string{city}); err != nil {
		panic(err)
	}
	var filters ListingChangesFilters
	since := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	if err := filters.FromListingChangesFiltersByReleasedFrom(ListingChangesFiltersByReleasedFrom{ReleasedFrom: since, City: &cities}); err != nil {
		panic(err)
	}
	var body CreateExportRequest
	if err := body.FromListingChangesExport(ListingChangesExport{Format: Ndjson, Filters: filters}); err != nil {
		panic(err)
	}
	changes := must(client.CreateExportWithResponse(ctx, body)).JSON201.Data
	fmt.Println(changes.Dataset, changes.Status)
}
`;

/** As in docs/clients.md. By default, numbers would have 32 bits. */
const OAPI_CODEGEN_CONFIG = `package: main
output: made.go
generate: { models: true, client: true }
output-options: { type-mapping: { number: { default: { type: float64 } } } }
`;

/** As the command in docs/clients.md. By default, integers would have 32 bits. */
const withInt64 = (_: string, value: unknown): unknown =>
  /^integer(,null)?$/.test(String((value as { type?: unknown } | null)?.type))
    ? { ...(value as object), format: 'int64' }
    : value;

const JAVA = `import java.time.OffsetDateTime;
import java.util.List;
import made.*;
import made.api.*;
import made.auth.*;
import made.model.*;

public class Run {
  public static void main(String[] args) throws Exception {
    String city = System.getenv("CITY");
    ApiClient client = new ApiClient().setBasePath(System.getenv("API"));
    for (Authentication scheme : client.getAuthentications().values())
      ((HttpBearerAuth) scheme).setBearerToken(System.getenv("KEY"));
    ListingsApi listings = new ListingsApi(client);
    List<PropertyType> types = List.of(PropertyType.VILLA, PropertyType.APARTMENT);
    SearchListings200Response page =
        listings.searchListings(city, ListingType.RENT).propertyType(types).limit(4L).execute();
    System.out.println(page.getData().size() + " rows, more: " + page.getPagination().getHasMore());
    try {
      listings.getListing(1L).execute();
    } catch (ApiException exception) {
      String body = exception.getResponseBody();
      System.out.println(exception.getCode() + " " + made.model.Error.fromJson(body).getError().getCode());
    }
    ListingChangesExport changes = new ListingChangesExport()
        .dataset(ListingChangesExport.DatasetEnum.LISTING_CHANGES)
        .format(ExportFormat.NDJSON)
        .filters(new ListingChangesFilters(new ListingChangesFiltersByReleasedFrom()
            .releasedFrom(OffsetDateTime.parse("2026-10-01T00:00:00Z"))
            // The generated code cannot send a list in place of a single value.
            .city(new ListingsFiltersCity(city))));
    Export export = new ExportsApi(client).createExport(new CreateExportRequest(changes)).execute().getData();
    System.out.println(export.getDataset() + " " + export.getStatus());
  }
}
`;

interface Generator {
  /** Programs on the path. The test is skipped if one is missing; `npm run release` installs those of `clients/tools`. */
  needs: readonly string[];
  files: Readonly<Record<string, string>>;
  /** Shell commands that generate and compile the client. The last one runs the program. */
  commands: readonly string[];
}

const PATH = [PYTHON_TOOLS, join(PROJECT, 'node_modules', '.bin'), join(NODE_TOOLS, '.bin'), process.env.PATH].join(
  ':',
);
const isInstalled = (tool: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${tool}`], { env: { ...process.env, PATH } }).status === 0;

/** Compiles the program strictly, bundles it, so that Node resolves its imports, and runs it. */
const TYPESCRIPT = [
  `tsc --ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --typeRoots ${join(PROJECT, 'node_modules', '@types')} --types node run.ts`,
  'esbuild run.ts --bundle --format=esm --platform=node --outfile=run.mjs --log-level=error',
  'node run.mjs',
];
/** Options of openapi-generator. */
const WITHOUT_TESTS =
  '--global-property models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
/** Without the last, unset lists are sent as empty ones. */
const JAVA_OPTIONS =
  'invokerPackage=made,apiPackage=made.api,modelPackage=made.model,useSingleRequestParameter=true,containerDefaultToNull=true';

const GENERATORS: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    needs: ['openapi-ts'],
    files: { 'run.ts': HEY_API },
    commands: ['openapi-ts -i openapi.json -o made -c @hey-api/client-fetch --no-log-file', ...TYPESCRIPT],
  },
  'oapi-codegen for Go': {
    needs: ['go'],
    files: { 'main.go': OAPI_CODEGEN, 'config.yaml': OAPI_CODEGEN_CONFIG },
    commands: [
      `cp ${join(TOOLS, 'go')}/go.* .`,
      'go tool oapi-codegen -config config.yaml openapi.json',
      'go build -o run .',
      './run',
    ],
  },
  'openapi-generator for Java': {
    needs: ['openapi-generator-cli', 'java', 'mvn'],
    files: { 'Run.java': JAVA },
    commands: [
      `openapi-generator-cli generate -g java -i int64.json -o . --additional-properties=${JAVA_OPTIONS} ${WITHOUT_TESTS}`,
      'mv Run.java src/main/java',
      'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath.txt',
      'java -cp "target/classes:$(cat classpath.txt)" Run',
    ],
  },
};

/** Writes files beside the OpenAPI document, and runs commands there. @returns the output of the last */
async function runIn(t: ExecutionContext, { files, commands }: Omit<Generator, 'needs'>, env = {}): Promise<string> {
  t.timeout(LIMIT);
  const cwd = await temporaryFolder(t);
  await symlink(NODE_TOOLS, join(cwd, 'node_modules'));
  const documents = { 'openapi.json': document, 'int64.json': JSON.stringify(JSON.parse(document, withInt64)) };
  for (const [name, text] of Object.entries({ ...documents, ...files })) await writeFile(join(cwd, name), text);
  let output = '';
  for (const command of commands) {
    const options = { cwd, env: { ...process.env, PATH, ...env }, timeout: LIMIT, maxBuffer: 50_000_000 };
    output = (await execFile('sh', ['-c', command], options)).stdout;
  }
  return output;
}

for (const [name, { needs, ...generator }] of Object.entries(GENERATORS)) {
  const title = `${name}: the generated client compiles, and its calls return the data of the API`;
  testWhere(needs.every(isInstalled))(title, async (t) => {
    const { key } = await createOrganization(app.services);
    const env = { API: `${app.url}/v1`, KEY: key, CITY: city };
    t.deepEqual((await runIn(t, generator, env)).trim().split('\n'), PRINTED);
  });
}

testWhere(isInstalled('redocly'))('Redocly reports no problems in the OpenAPI document', async (t) => {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const commands = ['redocly lint openapi.json --format=json --max-problems=100'];
  const { problems } = JSON.parse(await runIn(t, { files: {}, commands }, env)) as { problems: readonly object[] };
  t.deepEqual(problems, []);
});
