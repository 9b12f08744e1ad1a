import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { createOrganization } from '#test/factories.ts';
import { testWhere } from '#test/present.ts';
import { app } from '#test/sample-app.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { type Case, type Document, normalize, readCases } from './cases.ts';

/**
 * Tests client generators: they accept the served OpenAPI document, the generated clients compile unchanged, their calls
 * return the data of the API, and they decode the responses of every data operation.
 */
const execFile = promisify(execFileWithCallback);
const PROJECT = join(import.meta.dirname, '..', '..');
const TOOLS = join(PROJECT, 'clients', 'tools');
const GENERATORS_FOLDER = join(TOOLS, 'generators');
const NODE_TOOLS = join(GENERATORS_FOLDER, 'node_modules');
const PYTHON_TOOLS = join(TOOLS, '.venv', 'bin');
/** Milliseconds. Maven and Go fetch the packages of their clients on the first run. */
const LIMIT = 900_000;

let document: string;
let cases: readonly Case[];
test.before(async (t) => {
  t.timeout(LIMIT);
  document = (await app.request('/v1/openapi.json')).text;
  const { key } = await createOrganization(app.services);
  cases = await readCases(JSON.parse(document) as Document, (path, json) => app.request(`/v1${path}`, { key, json }));
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
const missing = await getListing({ client, path: { id: 999_999_999_999 } });
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
	if len(os.Args) > 1 {
		decode(parsers)
		return
	}
	ctx, city := context.Background(), os.Getenv("CITY")
	client := must(NewClientWithResponses(os.Getenv("API"), WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
			return nil
		})))
	limit := 4
	query := SearchListingsParams{City: &city, ListingType: Rent, PropertyType: &[]PropertyType{"villa", "apartment"}, Limit: &limit}
	first := must(client.SearchListingsWithResponse(ctx, &query)).JSON200
	fmt.Printf("%d rows, more: %t\\n", len(first.Data), first.Pagination.HasMore)
	missing := must(client.GetListingWithResponse(ctx, 999999999999, nil))
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
	if err := body.FromListingChangesExport(ListingChangesExport{Format: ExportFormatNdjson, Filters: filters}); err != nil {
		panic(err)
	}
	changes := must(client.CreateExportWithResponse(ctx, body)).JSON201.Data
	fmt.Println(changes.Dataset, changes.Status)
}
`;

/** As in docs/clients.md. By default, numbers would have 32 bits, and types that only webhooks use would be missing. */
const OAPI_CODEGEN_CONFIG = `package: main
output: made.go
generate: { models: true, client: true }
output-options: { skip-prune: true, type-mapping: { number: { default: { type: float64 } } } }
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
        listings.searchListings(ListingType.RENT).city(city).propertyType(types).limit(4L).execute();
    System.out.println(page.getData().size() + " rows, more: " + page.getPagination().getHasMore());
    try {
      listings.getListing(999999999999L).execute();
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
            .city(new ListingChangesFiltersByReleasedFromCity(city))));
    Export export = new ExportsApi(client).createExport(new CreateExportRequest(changes)).execute().getData();
    System.out.println(export.getDataset() + " " + export.getStatus());
  }
}
`;

const pascalCase = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());
const operationsOf = (): { operation: string; status: number }[] => [
  ...new Map(cases.map(({ operation, status }) => [operation, { operation, status }])).values(),
];

/** Reads cases by line, and prints each body as the decoded value is encoded. */
const GO_DECODE = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type parser func(*http.Response) (any, error)

func decode(parsers map[string]parser) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var record struct {
			Operation string
			Status    int
			Body      string
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			panic(err)
		}
		value, err := parsers[record.Operation](&http.Response{
			StatusCode: record.Status,
			Header:     http.Header{"Content-Type": {"application/json"}},
			Body:       io.NopCloser(strings.NewReader(record.Body)),
		})
		text, encodeErr := json.Marshal(value)
		if err != nil || encodeErr != nil {
			fmt.Println("failed:", err, encodeErr)
			continue
		}
		fmt.Println(string(text))
	}
}
`;

const oapiCodegenParsers = (): string => `package main

import "net/http"

var parsers = map[string]parser{
${operationsOf()
  .map(
    ({ operation, status }) => `	"${operation}": func(response *http.Response) (any, error) {
		parsed, err := Parse${pascalCase(operation)}Response(response)
		if err != nil {
			return nil, err
		}
		return parsed.JSON${status}, nil
	},`,
  )
  .join('\n')}
}
`;

/** The generated decoders are private to their package. */
const ogenParsers = (): string => `package api

import "net/http"

var Parsers = map[string]func(*http.Response) (any, error){
${operationsOf()
  .map(
    ({ operation }) =>
      `	"${operation}": func(response *http.Response) (any, error) { return decode${pascalCase(operation)}Response(response) },`,
  )
  .join('\n')}
}
`;

const OGEN = `package main

import (
	"net/http"
	"reflect"

	"made/api"
)

func main() {
	parsers := map[string]parser{}
	for operation, parse := range api.Parsers {
		parsers[operation] = func(response *http.Response) (any, error) {
			value, err := parse(response)
			if err != nil {
				return nil, err
			}
			// The body is beside the headers.
			if body := reflect.ValueOf(value).Elem().FieldByName("Response"); body.IsValid() {
				return body.Addr().Interface(), nil
			}
			return value, nil
		}
	}
	decode(parsers)
}
`;

const JAVA_DECODE = `import com.google.gson.*;
import java.io.*;
import java.util.Arrays;
import made.JSON;

public class Decode {
  public static void main(String[] args) throws Exception {
    new made.ApiClient();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    for (String line; (line = lines.readLine()) != null; ) {
      JsonObject record = JsonParser.parseString(line).getAsJsonObject();
      String operation = record.get("operation").getAsString();
      Class<?> call = Class.forName("made.api." + record.get("api").getAsString() + "$API" + operation + "Request");
      try {
        Object value = JSON.deserialize(record.get("body").getAsString(), call.getMethod("execute").getGenericReturnType());
        out.println(JSON.serialize(value));
      } catch (RuntimeException failure) {
        out.println("failed: " + failure);
      }
    }
  }
}
`;

const KOTLIN = `import made.infrastructure.Serializer

fun main() {
  val records = Serializer.moshi.adapter(Map::class.java)
  for (line in generateSequence(::readLine)) {
    val record = records.fromJson(line)!!
    val operation = Class.forName("made.apis.\${record["api"]}").methods.first { it.name == record["operation"] }
    val adapter = Serializer.moshi.adapter<Any>(operation.genericReturnType)
    println(runCatching { adapter.toJson(adapter.fromJson(record["body"] as String)) }.getOrElse { "failed: $it" })
  }
}
`;

const KOTLIN_VERSION = '2.4.21';
/** Versions as in the file that the generator writes for Gradle. */
const KOTLIN_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>made</groupId>
  <artifactId>made</artifactId>
  <version>1</version>
  <dependencies>
${[
  ['org.jetbrains.kotlin', 'kotlin-stdlib', KOTLIN_VERSION],
  ['org.jetbrains.kotlin', 'kotlin-reflect', KOTLIN_VERSION],
  ['com.squareup.moshi', 'moshi-kotlin', '1.15.2'],
  ['com.squareup.moshi', 'moshi-adapters', '1.15.2'],
  ['com.squareup.okhttp3', 'okhttp-jvm', '5.4.0'],
]
  .map(
    ([group, artifact, version]) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  )
  .join('\n')}
  </dependencies>
  <build>
    <sourceDirectory>src/main/kotlin</sourceDirectory>
    <plugins>
      <plugin>
        <groupId>org.jetbrains.kotlin</groupId>
        <artifactId>kotlin-maven-plugin</artifactId>
        <version>${KOTLIN_VERSION}</version>
        <executions><execution><goals><goal>compile</goal></goals></execution></executions>
        <configuration><jvmTarget>17</jvmTarget></configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;

const PYTHON_DECODE = `import importlib, json, re, sys
import httpx
from property_listings.session import connect

client = connect("http://127.0.0.1/v1", "k")
for line in sys.stdin:
    record = json.loads(line)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record["operation"]).lower()
    area = record["area"].lower().replace(" ", "_").replace("-", "_")
    operation = importlib.import_module(f"property_listings.api.{area}.{name}")
    response = httpx.Response(record["status"], text=record["body"])
    try:
        print(json.dumps(operation._parse_response(client=client, response=response).to_dict()))
    except Exception as error:
        print("failed:", repr(error))
`;

interface Generator {
  /** Programs on the path. The test is skipped if one is missing; `npm run release` installs those of `clients/tools`. */
  needs: readonly string[];
  files: () => Readonly<Record<string, string>>;
  /** Shell commands that generate and compile the client. */
  commands: readonly string[];
  /** Runs the program of calls, whose output is `PRINTED`. */
  calls?: string;
  /** Decodes the cases of the standard input. Generators for TypeScript check types when they compile. */
  decode?: string;
}

const PATH = [PYTHON_TOOLS, join(PROJECT, 'node_modules', '.bin'), join(NODE_TOOLS, '.bin'), process.env.PATH].join(
  ':',
);
const isInstalled = (tool: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${tool}`], { env: { ...process.env, PATH } }).status === 0;

/** Compiles programs strictly. */
const compile = (files: string): string =>
  `tsc --ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --typeRoots ${join(PROJECT, 'node_modules', '@types')} --types node ${files}`;
/** Options of openapi-generator. */
const WITHOUT_TESTS =
  '--global-property models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
/** As in docs/clients.md. Without `containerDefaultToNull`, unset lists are sent as empty ones. */
const JAVA_OPTIONS =
  'invokerPackage=made,apiPackage=made.api,modelPackage=made.model,useSingleRequestParameter=true,containerDefaultToNull=true,enumUnknownDefaultCase=true,disallowAdditionalPropertiesIfNotPresent=false';

/** A program that assigns every response to the type of its operation. */
const typedCases = (header: string, type: (operation: string, status: number) => string): string =>
  [
    header,
    ...cases
      .filter(({ kind }) => kind !== 'added')
      .map(({ operation, status, body }) => `void (${JSON.stringify(body)} satisfies ${type(operation, status)});`),
  ].join('\n');

const GENERATORS: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    needs: ['openapi-ts'],
    files: () => ({
      'run.ts': HEY_API,
      'cases.ts': typedCases(
        `import type * as made from '${MADE}';`,
        (operation, status) => `made.${pascalCase(operation)}Responses[${status}]`,
      ),
    }),
    commands: [
      'openapi-ts -i openapi.json -o made -c @hey-api/client-fetch --no-log-file',
      compile('run.ts cases.ts'),
      // Node does not resolve the imports of the generated files.
      'esbuild run.ts --bundle --format=esm --platform=node --outfile=run.mjs --log-level=error',
    ],
    calls: 'node run.mjs',
  },
  'the TypeScript client': {
    needs: ['tsc'],
    files: () => ({
      'cases.ts': typedCases(
        `import type { operations } from '${join(PROJECT, 'clients', 'dist', 'typescript', 'schema.js')}';`,
        (operation, status) => `operations['${operation}']['responses'][${status}]['content']['application/json']`,
      ),
    }),
    commands: [compile('cases.ts')],
  },
  'the Python client': {
    needs: ['openapi-python-client'],
    files: () => ({ 'decode.py': PYTHON_DECODE }),
    commands: [],
    decode: `PYTHONPATH=${join(PROJECT, 'clients', 'dist', 'python')} python decode.py`,
  },
  'oapi-codegen for Go': {
    needs: ['go'],
    files: () => ({
      'main.go': OAPI_CODEGEN,
      'decode.go': GO_DECODE,
      'parsers.go': oapiCodegenParsers(),
      'config.yaml': OAPI_CODEGEN_CONFIG,
    }),
    commands: [
      `cp ${join(TOOLS, 'go')}/go.* .`,
      'go tool oapi-codegen -config config.yaml openapi.json',
      'go build -o run .',
    ],
    calls: './run',
    decode: './run decode',
  },
  'ogen for Go': {
    needs: ['go'],
    files: () => ({ 'main.go': OGEN, 'decode.go': GO_DECODE, 'parsers.txt': ogenParsers() }),
    commands: [
      `cp ${join(GENERATORS_FOLDER, 'ogen')}/go.* .`,
      'go tool ogen --target api --package api open.json',
      'cp parsers.txt api/parsers.go',
      'go build -o run .',
    ],
    decode: './run',
  },
  'openapi-generator for Java': {
    needs: ['openapi-generator-cli', 'java', 'mvn'],
    files: () => ({ 'Run.java': JAVA, 'Decode.java': JAVA_DECODE }),
    commands: [
      `openapi-generator-cli generate -g java -i int64.json -o . --additional-properties=${JAVA_OPTIONS} ${WITHOUT_TESTS}`,
      'mv Run.java Decode.java src/main/java',
      'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath.txt',
    ],
    calls: 'java -cp "target/classes:$(cat classpath.txt)" Run',
    decode: 'java -cp "target/classes:$(cat classpath.txt)" Decode',
  },
  'openapi-generator for Kotlin': {
    needs: ['openapi-generator-cli', 'java', 'mvn'],
    files: () => ({ 'Run.kt': KOTLIN, 'pom.xml': KOTLIN_POM }),
    commands: [
      `openapi-generator-cli generate -g kotlin -i int64.json -o . --additional-properties=packageName=made,enumUnknownDefaultCase=true ${WITHOUT_TESTS}`,
      'mv Run.kt src/main/kotlin',
      'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath.txt',
    ],
    decode: 'java -cp "target/classes:$(cat classpath.txt)" RunKt',
  },
};

/** Writes files next to the OpenAPI document. @returns a function that runs a command there, and returns its output */
async function folderWith(t: ExecutionContext, files: Readonly<Record<string, string>>, variables = {}) {
  t.timeout(LIMIT);
  const cwd = await temporaryFolder(t);
  await symlink(NODE_TOOLS, join(cwd, 'node_modules'));
  const int64 = JSON.stringify(JSON.parse(document, withInt64));
  const open = JSON.stringify(JSON.parse(int64, (name, value) => (name === 'enum' ? undefined : value)));
  const documents = { 'openapi.json': document, 'int64.json': int64, 'open.json': open };
  for (const [name, text] of Object.entries({ ...documents, ...files })) await writeFile(join(cwd, name), text);
  const options = { cwd, env: { ...process.env, PATH, ...variables }, timeout: LIMIT, maxBuffer: 200_000_000 };
  return async (command: string): Promise<string> => (await execFile('sh', ['-c', command], options)).stdout;
}

/** The classes of openapi-generator by area. */
const apiOf = (area: string): string => `${area.split(/[ -]/).map(pascalCase).join('')}Api`;

for (const [name, { needs, files, commands, calls, decode }] of Object.entries(GENERATORS)) {
  const title = `${name}: the client compiles, its calls return the data of the API, and it decodes every response`;
  testWhere(needs.every(isInstalled))(title, async (t) => {
    const { key } = await createOrganization(app.services);
    const lines = cases.map(({ area, body, ...each }) => ({
      ...each,
      area,
      api: apiOf(area),
      body: JSON.stringify(body),
    }));
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const env = { API: `${app.url}/v1`, KEY: key, CITY: 'riyadh' };
    const run = await folderWith(t, { ...files(), 'cases.ndjson': input }, env);
    for (const command of commands) await run(command);
    if (calls !== undefined) t.deepEqual((await run(calls)).trim().split('\n'), PRINTED);
    // The compiler has checked the types of the responses.
    if (decode === undefined) return t.pass();
    const decoded = (await run(`${decode} < cases.ndjson`)).trim().split('\n');
    t.is(decoded.length, cases.length);
    const failures = cases.flatMap(({ operation, kind, body }, index) => {
      const line = decoded[index] ?? '';
      if (line.startsWith('failed:')) return `${operation} ${kind}: ${line.slice(0, 300)}`;
      // Clients may replace values and omit unknown fields.
      if (kind === 'added') return [];
      const [expected, actual] = [normalize(body), normalize(JSON.parse(line))].map((each) => JSON.stringify(each));
      return expected === actual ? [] : `${operation} ${kind}: ${differenceOf(expected ?? '', actual ?? '')}`;
    });
    t.deepEqual(failures, []);
  });
}

function differenceOf(expected: string, actual: string): string {
  const at = [...expected].findIndex((letter, index) => letter !== actual[index]);
  const part = (text: string): string => text.slice(Math.max(0, at - 80), at + 60);
  return `${part(actual)} instead of ${part(expected)}`;
}

test('every data operation has a live response', (t) => {
  const live = new Set(cases.flatMap(({ operation, kind }) => (kind === 'live' ? operation : [])));
  t.deepEqual(
    operationsOf().flatMap(({ operation }) => (live.has(operation) ? [] : operation)),
    [],
  );
});

testWhere(isInstalled('redocly'))('Redocly reports no problems in the OpenAPI document', async (t) => {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const run = await folderWith(t, {}, env);
  const report = await run('redocly lint openapi.json --format=json --max-problems=100');
  const { problems } = JSON.parse(report) as { problems: readonly object[] };
  t.deepEqual(problems, []);
});
