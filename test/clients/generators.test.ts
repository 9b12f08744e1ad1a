import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
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
  app = await startTestApp({ overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] } });
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
test.after(() => app?.close());

/** Expected output of every client, one line per call. */
const PRINTED = [
  '4 rows, more: true',
  '3 rows, more: false',
  '7 listings',
  '404 listing_not_found',
  'registered_rents queued',
  'listing_changes queued',
  '404 period_not_found []',
  'webhook of 1 city',
  'villa for rent',
  'live key',
];

/** Calls that must fail type checking. */
const REFUSED = {
  'a filter of another dataset': `{ dataset: 'registered_rents', format: 'csv', filters: { beds: 3 } }`,
  'a dataset without its range': `{ dataset: 'listing_changes', format: 'csv', filters: { city: CITY } }`,
  'a dataset without its filters': `{ dataset: 'listing_changes', format: 'csv' }`,
  'an unknown dataset': `{ dataset: 'owners', format: 'csv' }`,
};

/** Import path of the generated client. */
const MADE = './made';

const HEY_API = `import { createClient } from '${MADE}/client';
import { countListings, createExport, createWebhook, getLimits, getListing, searchListings } from '${MADE}';
const { API, KEY, ADMIN, CITY = '' } = process.env;
const client = createClient({ baseUrl: API, auth: KEY });
const admin = createClient({ baseUrl: API, auth: ADMIN });
const query = { city: CITY, listing_type: 'rent' as const, property_type: ['villa' as const, 'apartment' as const], limit: 4 };
const first = await searchListings({ client, query });
console.log(\`\${first.data?.data.length} rows, more: \${first.data?.pagination.has_more}\`);
const second = await searchListings({ client, query: { ...query, cursor: first.data?.pagination.next_cursor ?? '' } });
console.log(\`\${second.data?.data.length} rows, more: \${second.data?.pagination.has_more}\`);
const count = await countListings({ client, query: { city: CITY, listing_type: 'rent', bbox: [34, 16, 56, 33] } });
console.log(\`\${count.data?.data.total} listings\`);
const missing = await getListing({ client, path: { id: 1 } });
console.log(missing.response?.status, missing.error?.error.code);
const rents = await createExport({
  client,
  body: { dataset: 'registered_rents', format: 'csv', filters: { property_type: 'apartment' } },
});
console.log(rents.data?.data.dataset, rents.data?.data.status);
const changes = await createExport({
  client,
  body: { dataset: 'listing_changes', format: 'ndjson', filters: { released_from: '2026-10-01T00:00:00Z', city: [CITY] } },
});
console.log(changes.data?.data.dataset, changes.data?.data.status);
const period = await createExport({
  client,
  body: { dataset: 'registered_rents', format: 'csv', filters: { city: CITY, period: '1999-Q1' } },
});
console.log(period.response?.status, period.error?.error.code, JSON.stringify(period.error?.error.details?.available_periods));
const hook = await createWebhook({
  client: admin,
  body: { url: 'https://hooks.test/', event_types: ['listing.created'], filters: { city: CITY, beds_min: 2 } },
});
console.log(\`webhook of \${(hook.data?.data.filters.city as unknown[]).length} city\`);
const found = await getListing({ client, path: { id: first.data?.data[0]?.id ?? 0 } });
console.log(\`\${found.data?.data.property_type} for \${found.data?.data.listing_type}\`);
console.log(\`\${(await getLimits({ client })).data?.data.key_kind} key\`);
export const refused = [
${Object.entries(REFUSED)
  .map(([what, body]) => `// @ts-expect-error ${what}\n() => createExport({ client, body: ${body} }),`)
  .join('\n')}
];
`;

const ORVAL = `import { countListings, createExport, createWebhook, getLimits, getListing, searchListings } from '${MADE}';
const { KEY, ADMIN, CITY = '' } = process.env;
const as = (key?: string) => ({ headers: { Authorization: \`Bearer \${key}\` } });
/** Narrows a response to the type of its status. */
function having<R extends { status: number }, S extends R['status']>(response: R, status: S): Extract<R, { status: S }> {
  if (response.status !== status) throw new Error(\`status \${response.status}\`);
  return response as Extract<R, { status: S }>;
}
const query = { city: CITY, listing_type: 'rent' as const, property_type: ['villa' as const, 'apartment' as const], limit: 4 };
const first = having(await searchListings(query, as(KEY)), 200).data;
console.log(\`\${first.data.length} rows, more: \${first.pagination.has_more}\`);
const second = having(await searchListings({ ...query, cursor: first.pagination.next_cursor ?? '' }, as(KEY)), 200).data;
console.log(\`\${second.data.length} rows, more: \${second.pagination.has_more}\`);
const count = await countListings({ city: CITY, listing_type: 'rent', bbox: [34, 16, 56, 33] }, as(KEY));
console.log(\`\${having(count, 200).data.data.total} listings\`);
console.log(404, having(await getListing(1, undefined, as(KEY)), 404).data.error.code);
const rents = await createExport(
  { dataset: 'registered_rents', format: 'csv', filters: { property_type: 'apartment' } },
  as(KEY),
);
console.log(having(rents, 201).data.data.dataset, having(rents, 201).data.data.status);
const changes = await createExport(
  { dataset: 'listing_changes', format: 'ndjson', filters: { released_from: '2026-10-01T00:00:00Z', city: [CITY] } },
  as(KEY),
);
console.log(having(changes, 201).data.data.dataset, having(changes, 201).data.data.status);
const period = await createExport(
  { dataset: 'registered_rents', format: 'csv', filters: { city: CITY, period: '1999-Q1' } },
  as(KEY),
);
const { error } = having(period, 404).data;
console.log(404, error.code, JSON.stringify(error.details?.available_periods));
const hook = await createWebhook(
  { url: 'https://hooks.test/', event_types: ['listing.created'], filters: { city: CITY, beds_min: 2 } },
  as(ADMIN),
);
console.log(\`webhook of \${(having(hook, 201).data.data.filters.city as unknown[]).length} city\`);
const found = having(await getListing(first.data[0]?.id ?? 0, undefined, as(KEY)), 200).data.data;
console.log(\`\${found.property_type} for \${found.listing_type}\`);
console.log(\`\${having(await getLimits(as(KEY)), 200).data.data.key_kind} key\`);
export const refused = [
${Object.entries(REFUSED)
  .map(([what, body]) => `// @ts-expect-error ${what}\n() => createExport(${body}),`)
  .join('\n')}
];
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

func clientOf(variable string) *ClientWithResponses {
	return must(NewClientWithResponses(os.Getenv("API"), WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv(variable))
			return nil
		})))
}

func main() {
	ctx, city := context.Background(), os.Getenv("CITY")
	client, admin := clientOf("KEY"), clientOf("ADMIN")
	limit := 4
	query := SearchListingsParams{City: city, ListingType: Rent, PropertyType: &[]PropertyType{"villa", "apartment"}, Limit: &limit}
	first := must(client.SearchListingsWithResponse(ctx, &query)).JSON200
	fmt.Printf("%d rows, more: %t\\n", len(first.Data), first.Pagination.HasMore)
	query.Cursor = first.Pagination.NextCursor
	second := must(client.SearchListingsWithResponse(ctx, &query)).JSON200
	fmt.Printf("%d rows, more: %t\\n", len(second.Data), second.Pagination.HasMore)
	count := CountListingsParams{City: city, ListingType: Rent, Bbox: &[]float64{34, 16, 56, 33}}
	fmt.Println(must(client.CountListingsWithResponse(ctx, &count)).JSON200.Data.Total, "listings")
	missing := must(client.GetListingWithResponse(ctx, 1, nil))
	fmt.Println(missing.StatusCode(), missing.JSON404.Error.Code)

	export := func(fill func(body *CreateExportRequest) error) *CreateExportResponse {
		var body CreateExportRequest
		if err := fill(&body); err != nil {
			panic(err)
		}
		return must(client.CreateExportWithResponse(ctx, body))
	}
	rents := export(func(body *CreateExportRequest) error {
		var types RegisteredRentsFilters_PropertyType
		if err := types.FromRentPropertyType("apartment"); err != nil {
			return err
		}
		return body.FromRegisteredRentsExport(RegisteredRentsExport{Format: Csv, Filters: &RegisteredRentsFilters{PropertyType: &types}})
	}).JSON201.Data
	fmt.Println(rents.Dataset, rents.Status)
	changes := export(func(body *CreateExportRequest) error {
		var cities ListingChangesFiltersByReleasedFrom_City
		if err := cities.FromListingChangesFiltersByReleasedFromCity0([]string{city}); err != nil {
			return err
		}
		var filters ListingChangesFilters
		since := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
		if err := filters.FromListingChangesFiltersByReleasedFrom(ListingChangesFiltersByReleasedFrom{ReleasedFrom: since, City: &cities}); err != nil {
			return err
		}
		return body.FromListingChangesExport(ListingChangesExport{Format: Ndjson, Filters: filters})
	}).JSON201.Data
	fmt.Println(changes.Dataset, changes.Status)
	period := export(func(body *CreateExportRequest) error {
		var quarter RegisteredRentsFilters_Period
		if err := quarter.FromRegisteredRentsFiltersPeriod1("1999-Q1"); err != nil {
			return err
		}
		return body.FromRegisteredRentsExport(RegisteredRentsExport{Format: Csv, Filters: &RegisteredRentsFilters{Period: &quarter}})
	})
	fmt.Println(period.StatusCode(), period.JSON404.Error.Code, *period.JSON404.Error.Details.AvailablePeriods)
	var cities WebhookFilters_City
	if err := cities.FromWebhookFiltersCity1(city); err != nil {
		panic(err)
	}
	beds := 2
	hook := must(admin.CreateWebhookWithResponse(ctx, CreateWebhookJSONRequestBody{
		Url: "https://hooks.test/", EventTypes: []EventType{"listing.created"}, Filters: WebhookFilters{City: cities, BedsMin: &beds},
	})).JSON201.Data
	fmt.Println("webhook of", len(hook.Filters["city"].([]any)), "city")
	found := must(client.GetListingWithResponse(ctx, first.Data[0].Id, nil)).JSON200.Data
	fmt.Println(found.PropertyType, "for", found.ListingType)
	fmt.Println(must(client.GetLimitsWithResponse(ctx)).JSON200.Data.KeyKind, "key")
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

const JAVA = `import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import made.*;
import made.api.*;
import made.auth.*;
import made.model.*;

public class Run {
  static final String CITY = System.getenv("CITY");

  static ApiClient client(String variable) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("API"));
    for (Authentication scheme : client.getAuthentications().values())
      ((HttpBearerAuth) scheme).setBearerToken(System.getenv(variable));
    return client;
  }

  static void print(SearchListings200Response page) {
    System.out.println(page.getData().size() + " rows, more: " + page.getPagination().getHasMore());
  }

  static void print(Export export) {
    System.out.println(export.getDataset() + " " + export.getStatus());
  }

  static ErrorError errorOf(ApiException exception) throws Exception {
    return made.model.Error.fromJson(exception.getResponseBody()).getError();
  }

  public static void main(String[] args) throws Exception {
    ListingsApi listings = new ListingsApi(client("KEY"));
    ExportsApi exports = new ExportsApi(client("KEY"));
    List<PropertyType> types = List.of(PropertyType.VILLA, PropertyType.APARTMENT);
    SearchListings200Response first =
        listings.searchListings(CITY, ListingType.RENT).propertyType(types).limit(4L).execute();
    print(first);
    String cursor = first.getPagination().getNextCursor();
    print(listings.searchListings(CITY, ListingType.RENT).propertyType(types).limit(4L).cursor(cursor).execute());
    List<BigDecimal> bbox = List.of(new BigDecimal(34), new BigDecimal(16), new BigDecimal(56), new BigDecimal(33));
    System.out.println(
        listings.countListings(CITY, ListingType.RENT).bbox(bbox).execute().getData().getTotal() + " listings");
    try {
      listings.getListing(1L).execute();
    } catch (ApiException exception) {
      System.out.println(exception.getCode() + " " + errorOf(exception).getCode());
    }
    RegisteredRentsExport rents = new RegisteredRentsExport()
        .dataset(RegisteredRentsExport.DatasetEnum.REGISTERED_RENTS)
        .format(ExportFormat.CSV)
        .filters(new RegisteredRentsFilters()
            .propertyType(new RegisteredRentsFiltersPropertyType(RentPropertyType.APARTMENT)));
    print(exports.createExport(new CreateExportRequest(rents)).execute().getData());
    ListingChangesExport changes = new ListingChangesExport()
        .dataset(ListingChangesExport.DatasetEnum.LISTING_CHANGES)
        .format(ExportFormat.NDJSON)
        .filters(new ListingChangesFilters(new ListingChangesFiltersByReleasedFrom()
            .releasedFrom(OffsetDateTime.parse("2026-10-01T00:00:00Z"))
            // The generated code cannot send a list in place of a single value.
            .city(new ListingsFiltersCity(CITY))));
    print(exports.createExport(new CreateExportRequest(changes)).execute().getData());
    try {
      rents.filters(new RegisteredRentsFilters().period(new RegisteredRentsFiltersPeriod("1999-Q1")));
      exports.createExport(new CreateExportRequest(rents)).execute();
    } catch (ApiException exception) {
      ErrorError error = errorOf(exception);
      System.out.println(
          exception.getCode() + " " + error.getCode() + " " + error.getDetails().getAvailablePeriods());
    }
    CreateWebhookRequest hook = new CreateWebhookRequest()
        .url("https://hooks.test/")
        .eventTypes(Set.of(EventType.LISTING_CREATED))
        .filters(new WebhookFilters().city(new ListingsFiltersCity(CITY)).bedsMin(2L));
    Object cities =
        new AdministrationApi(client("ADMIN")).createWebhook(hook).execute().getData().getFilters().get("city");
    System.out.println("webhook of " + ((List<?>) cities).size() + " city");
    Listing found = listings.getListing(first.getData().get(0).getId()).execute().getData();
    System.out.println(found.getPropertyType() + " for " + found.getListingType());
    System.out.println(
        new ReferenceDataApi(client("KEY")).getLimits().execute().getData().getKeyKind() + " key");
  }
}
`;

const OPENAPI_GENERATOR = `import os
import made
from made import rest
from made.exceptions import ApiException
from made.models import *

city = os.environ["CITY"]
def api(kind, name):
    configuration = made.Configuration(host=os.environ["API"], access_token=os.environ[name])
    return kind(made.ApiClient(configuration))

listings, exports, admin = api(made.ListingsApi, "KEY"), api(made.ExportsApi, "KEY"), api(made.AdministrationApi, "ADMIN")
query = dict(city=city, listing_type="rent", property_type=["villa", "apartment"], limit=4)
page = listings.search_listings(**query)
print(f"{len(page.data)} rows, more: {str(page.pagination.has_more).lower()}")
page = listings.search_listings(**query, cursor=page.pagination.next_cursor)
print(f"{len(page.data)} rows, more: {str(page.pagination.has_more).lower()}")
print(listings.count_listings(city=city, listing_type="rent", bbox=[34.0, 16.0, 56.0, 33.0]).data.total, "listings")
try:
    listings.get_listing(1)
except ApiException as error:
    print(error.status, error.data.error.code)

def export(body):
    return exports.create_export(CreateExportRequest.from_dict(body)).data

data = export({"dataset": "registered_rents", "format": "csv", "filters": {"property_type": "apartment"}})
print(data.dataset.value, data.status.value)
data = exports.create_export(CreateExportRequest(ListingChangesExport(dataset="listing_changes", format="ndjson",
    filters=ListingChangesFilters(ListingChangesFiltersByReleasedFrom(
        released_from="2026-10-01T00:00:00Z", city=ListingsFiltersCity([city])))))).data
print(data.dataset.value, data.status.value)
try:
    export({"dataset": "registered_rents", "format": "csv", "filters": {"city": city, "period": "1999-Q1"}})
except ApiException as error:
    print(error.status, error.data.error.code, error.data.error.details.available_periods)
hook = admin.create_webhook(CreateWebhookRequest(url="https://hooks.test/", event_types=["listing.created"],
    filters=WebhookFilters(city=ListingsFiltersCity(city), beds_min=2)))
print("webhook of", len(hook.data.filters["city"]), "city")
found = listings.get_listing(page.data[0].id).data
print(found.property_type.value, "for", found.listing_type.value)
print(api(made.ReferenceDataApi, "KEY").get_limits().data.key_kind.value, "key")
`;

interface Generator {
  /** Required tools. The test is skipped if one of them is missing. */
  needs: readonly string[];
  /** Generates the client and its program. @returns the command and its arguments */
  make(folder: string): Promise<readonly [program: string, ...args: string[]]>;
}

const run = (program: string, args: readonly string[], cwd: string, env: object = {}) =>
  execFile(program, args, { cwd, env: { ...process.env, ...env }, timeout: LIMIT, maxBuffer: 50_000_000 });

const TSC = join(PROJECT, 'node_modules', '.bin', 'tsc');
const ESBUILD = join(PROJECT, 'node_modules', '.bin', 'esbuild');
const STRICT = '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler'.split(' ');

/**
 * Compiles a program in strict mode and bundles it, so that Node resolves its imports.
 * @returns the command and its arguments
 */
async function compiled(folder: string, source: string): Promise<readonly [string, string]> {
  await writeFile(join(folder, 'run.ts'), source);
  const types = join(PROJECT, 'node_modules', '@types');
  await run(TSC, [...STRICT, '--skipLibCheck', '--typeRoots', types, '--types', 'node', 'run.ts'], folder);
  await run(
    ESBUILD,
    ['run.ts', '--bundle', '--format=esm', '--platform=node', '--outfile=run.mjs', '--log-level=error'],
    folder,
  );
  return [process.execPath, 'run.mjs'];
}

/** Options of openapi-generator. */
const WITHOUT_TESTS =
  '--global-property models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';

const GENERATORS: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    needs: [join(NODE_TOOLS, '.bin', 'openapi-ts')],
    make: async (folder) => {
      const options = ['-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch', '--no-log-file'];
      await run(join(NODE_TOOLS, '.bin', 'openapi-ts'), options, folder);
      return compiled(folder, HEY_API);
    },
  },
  orval: {
    needs: [join(NODE_TOOLS, '.bin', 'orval')],
    make: async (folder) => {
      const baseUrl = { runtime: 'process.env.API' };
      const output = { target: `${MADE}.ts`, client: 'fetch', baseUrl };
      await writeFile(
        join(folder, 'orval.config.mjs'),
        `export default { api: { input: './openapi.json', output: ${JSON.stringify(output)} } };\n`,
      );
      await run(join(NODE_TOOLS, '.bin', 'orval'), ['--config', 'orval.config.mjs'], folder);
      return compiled(folder, ORVAL);
    },
  },
  'oapi-codegen for Go': {
    needs: ['go'],
    make: async (folder) => {
      for (const file of ['go.mod', 'go.sum']) await cp(join(TOOLS, 'go', file), join(folder, file));
      await writeFile(join(folder, 'config.yaml'), OAPI_CODEGEN_CONFIG);
      await run('go', ['tool', 'oapi-codegen', '-config', 'config.yaml', 'openapi.json'], folder);
      await writeFile(join(folder, 'main.go'), OAPI_CODEGEN);
      await run('go', ['build', '-o', 'run', '.'], folder);
      return [join(folder, 'run')];
    },
  },
  'openapi-generator for Java': {
    needs: [join(PYTHON_TOOLS, 'openapi-generator-cli'), 'java', 'mvn'],
    make: async (folder) => {
      const names = 'invokerPackage=made,apiPackage=made.api,modelPackage=made.model';
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(JSON.parse(document, withInt64)));
      // Without the second, unset lists are sent as empty ones.
      const options = 'useSingleRequestParameter=true,containerDefaultToNull=true';
      await run(
        join(PYTHON_TOOLS, 'openapi-generator-cli'),
        `generate -g java -i openapi.json -o . --additional-properties=${names},${options} ${WITHOUT_TESTS}`.split(' '),
        folder,
      );
      await writeFile(join(folder, 'src', 'main', 'java', 'Run.java'), JAVA);
      const goals = ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
      await run('mvn', goals, folder);
      const libraries = await readFile(join(folder, 'classpath.txt'), 'utf8');
      return ['java', '-cp', `target/classes:${libraries.trim()}`, 'Run'];
    },
  },
  'openapi-generator for Python': {
    needs: [join(PYTHON_TOOLS, 'openapi-generator-cli'), 'java'],
    make: async (folder) => {
      await run(
        join(PYTHON_TOOLS, 'openapi-generator-cli'),
        `generate -g python -i openapi.json -o . --package-name made ${WITHOUT_TESTS}`.split(' '),
        folder,
      );
      await writeFile(join(folder, 'run.py'), OPENAPI_GENERATOR);
      return [join(PYTHON_TOOLS, 'python'), 'run.py'];
    },
  },
};

/** Arguments by which tools on the path print their version. */
const VERSION: Readonly<Record<string, string>> = { java: '-version', mvn: '-version', go: 'version' };

/** Names the first missing tool for the title of a skipped test; null if all tools are installed. */
function missing(needs: readonly string[]): string | null {
  const isInstalled = (tool: string): boolean => {
    const version = VERSION[tool];
    return version === undefined ? existsSync(tool) : spawnSync(tool, [version], { timeout: 30_000 }).status === 0;
  };
  const tool = needs.find((each) => !isInstalled(each));
  return tool === undefined ? null : `not installed: ${tool.replace(`${PROJECT}/`, '')}`;
}

/** Declares a test that is skipped if a required tool is missing. `npm run release` installs the tools. */
function testWith(needs: readonly string[], title: string, body: (t: ExecutionContext) => Promise<void>): void {
  const reason = missing(needs);
  if (reason === null) test(title, body);
  else test.skip(`${title} (${reason})`, body);
}

/** Creates a folder with the OpenAPI document and links to the installed packages. */
async function ground(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'openapi.json'), document);
  await symlink(NODE_TOOLS, join(folder, 'node_modules'));
  return folder;
}

for (const [name, { needs, make }] of Object.entries(GENERATORS)) {
  testWith(needs, `${name}: the generated client compiles, and its calls return the data of the API`, async (t) => {
    t.timeout(LIMIT);
    const { id, key } = await createOrganization(app.services);
    const admin = await createKey(app.services, id, { kind: 'admin' });
    const folder = await ground(t);
    const [program, ...args] = await make(folder);
    const env = { API: `${app.url}/v1`, KEY: key, ADMIN: admin, CITY: city, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(program, args, folder, env);
    t.deepEqual(stdout.trim().split('\n'), PRINTED);
  });
}

const REDOCLY = join(NODE_TOOLS, '.bin', 'redocly');

testWith([REDOCLY], 'Redocly reports no problems in the OpenAPI document', async (t) => {
  t.timeout(LIMIT);
  const folder = await ground(t);
  const { stdout } = await run(REDOCLY, ['lint', 'openapi.json', '--format=json', '--max-problems=100'], folder, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
  const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string; message: string }[] };
  t.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
});
