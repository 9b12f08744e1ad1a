import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createApp } from '#app/app.ts';
import { openServices } from '#app/open-services.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { Places } from '#domain/geography/reference.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import { readDownloads } from '#domain/process/downloads.ts';
import { endpoints as allEndpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { createHttpServer } from '#src/http/server.ts';
import type { Services } from '#src/services.ts';
import { prepareOwnIndexes } from './engines.ts';
import { testConfig } from './env.ts';
import { listen } from './listen.ts';
import { responseChecker } from './responses.ts';
import { suiteFixture } from './test.ts';

/** The service under test: the real app with the engines of the test run, on a separate port. */
export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

interface RequestOptions {
  key?: string | undefined;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Sends a POST request with this value as the body. */
  json?: unknown;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  // A test reads the expected fields; any other result fails it.
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
  body: any;
}

export interface TestAppOptions {
  overrides?: Partial<Services>;
  env?: Readonly<Record<string, string>>;
  endpoints?: readonly Endpoint[];
  /** Indexes to create under another prefix, besides the listings: those that requests read. */
  indexes?: readonly ServedIndex[];
  /** Defaults to a free port. */
  port?: number;
}

/** Pages are the same whether or not clients were built on this machine. */
const NO_FOLDER = join(import.meta.dirname, 'no-downloads');

const letters = (length: number): string =>
  [...randomBytes(length)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/**
 * Starts the app. The database is a copy of the migrated database of the test run. The indexes are those of the test
 * run, unless `env` sets another prefix.
 */
export async function startTestApp(options: TestAppOptions = {}) {
  const config = testConfig(options.env);
  const cities: City[] = [];
  const neighborhoods: Neighborhood[] = [];
  const places = new Places({ cities, neighborhoods });
  const { services, close } = await openServices(config, {
    places,
    downloads: readDownloads(NO_FOLDER),
    ...options.overrides,
  });
  // For the default prefix, the test run has already prepared the indexes.
  if (services.opensearch.prefix !== process.env.INDEX_PREFIX) {
    await prepareOwnIndexes(services.opensearch, options.indexes);
    await services.indexGuard.refresh();
  }
  const app = await createApp(services, options.endpoints);
  const server = createHttpServer(app, 'http://docs.test', services);
  const checkResponse = responseChecker(options.endpoints ?? allEndpoints);
  const { url, close: closeServer } = await listen(server, options.port);

  return {
    url,
    services,
    /** Adds a city for one test. The app serves it immediately. */
    async addCity(city: Partial<City> = {}, own: readonly Partial<Neighborhood>[] = []): Promise<City> {
      const slug = city.slug ?? `test_${letters(10)}`;
      const made: City = {
        name_en: `City ${slug}`,
        name_ar: 'مدينة',
        center: { lat: 24.7, lng: 46.7 },
        aliases: [],
        ...city,
        slug,
      };
      cities.push(made);
      for (const [index, neighborhood] of own.entries()) {
        neighborhoods.push({
          id: 900_000_000 + neighborhoods.length,
          slug: `n${index}`,
          name_en: `Neighborhood ${index}`,
          name_ar: `حي ${index}`,
          direction_id: null,
          center: null,
          aliases: [],
          ...neighborhood,
          city: slug,
        });
      }
      places.replace({ cities, neighborhoods });
      return made;
    },
    /** @throws if a 2xx response or an error code is not documented for the endpoint */
    async request(path: string, options: RequestOptions = {}): Promise<TestResponse> {
      const { key, json, method = json === undefined ? 'GET' : 'POST', headers = {}, body } = options;
      const response = await fetch(new URL(path, url), {
        method,
        redirect: 'manual',
        headers: {
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
      const parsed = isJson ? JSON.parse(text) : undefined;
      if (isJson) checkResponse(method, path, response.status, parsed);
      return { status: response.status, headers: response.headers, text, body: parsed };
    },
    /** Opens a page of the site as a browser does. Returns the headers of the requests of its scripts. */
    async visit(path = '/explorer', headers: Record<string, string> = {}): Promise<Record<string, string>> {
      const response = await fetch(new URL(path, url), { headers, signal: AbortSignal.timeout(30_000) });
      await response.arrayBuffer();
      return { ...headers, Cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    },
    async close(): Promise<void> {
      await closeServer();
      await close();
    },
  };
}

/**
 * Returns the app of the suite, which all files use that need no options. Tests create their own organization and city.
 * The app is closed at the end of the suite.
 */
export const sharedApp = suiteFixture(
  () => startTestApp(),
  (app) => app.close(),
);
