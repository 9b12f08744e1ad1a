import { Ajv, type ErrorObject } from 'ajv';

/** `shown` documents a default that depends on other variables or on the machine. */
type Variable = { description: string; needed?: true; shown?: string } & (IntegerVariable | TextVariable);
type IntegerVariable = { type: 'integer'; default?: number; minimum: number; maximum: number };
/** `must` completes "X must …" for a value that does not match the pattern or format. Secret values are not shown. */
type TextVariable = {
  type: 'string';
  default?: string;
  pattern?: string;
  format?: 'day' | 'postgres';
  must?: string | ((value: string) => string | null);
  secret?: true;
};
type VariableAttributes = Partial<Variable> | object;

/** A whole number, at least 1 by default. */
const whole = <More extends VariableAttributes>(description: string, more: More) => ({
  type: 'integer' as const,
  description,
  minimum: 1,
  maximum: 999_999_999,
  ...more,
});

const text = <const More extends VariableAttributes>(description: string, more: More = {} as More) => ({
  type: 'string' as const,
  description,
  ...more,
});

const ADDRESSES = {
  pattern: '^\\s*https?://[^\\s,]+(\\s*,\\s*https?://[^\\s,]+)*\\s*$',
  must: 'be addresses like http://host:9200, with commas between them',
  // These URLs may contain a password.
  secret: true,
} as const;
const PAGE = { pattern: '^https?://\\S+$', must: 'be a URL like https://example.com/terms' } as const;
const SECRETS = {
  shown: 'from the pepper',
  pattern: '^[a-z0-9]{1,8}:[^:,]{32,}(,[a-z0-9]{1,8}:[^:,]{32,})*$',
  must: 'be id:secret,id:secret with ids of 1 to 8 letters and digits, and secrets of at least 32 characters without colons',
  secret: true,
} as const;
const POSTGRES_URL = { format: 'postgres', must: postgresFault, secret: true } as const;
const PEPPER = { pattern: '^.{32,}$', must: 'have at least 32 characters', secret: true } as const;

/** Validation, types and `docs/configuration.md` derive from this table. */
export const VARIABLES = {
  PORT: whole('port of the API', { minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: text('address that the API listens on', { default: '127.0.0.1' }),
  SITE_URL: text(
    'root URL of the site; `url` and `source.url` of listings begin with it. Assistants sign in there: hosted ones need a public https address',
    {
      shown: '`http://127.0.0.1:PORT`',
    },
  ),
  SITE: text(
    'whether to serve the site. With `off`, only the API and what its responses link to are served: photos, redirects to ads, the pages of errors and changes; assistants then use keys, because they sign in on the site. With `only`, the process serves the site and no API: other processes serve it under `BASE_URL`',
    { default: 'on', pattern: '^(on|off|only)$', must: 'be on, off or only' },
  ),
  BASE_URL: text('root URL of the API as clients see it, with the version', { shown: '`SITE_URL/v1`' }),
  CDN_URL: text('public root URL of the bucket of photos', { shown: '`SITE_URL/cdn`' }),
  SERVICE_NAME: text('name on pages, in `openapi.json`, and in the `User-Agent` of requests for feeds and photos', {
    default: 'Property Listings API',
  }),
  CONTACT: text(
    'mail address or URL for keys, plans and support, which the site links in the footer, on the pricing page, in the FAQ and under the field for a key',
    {
      shown: 'none',
      pattern: '^(https?://\\S+|[^\\s@<>:]+@[^\\s@<>]+)$',
      must: 'be a mail address or a URL like https://example.com/contact',
    },
  ),
  TERMS_URL: text('address of your terms of service, which people accept when they open an account', {
    shown: 'none: `/sign-up` says that it must be set',
    ...PAGE,
  }),
  PRIVACY_URL: text('address of your privacy notice, which `/sign-up` and the footer link', {
    shown: 'none: `/sign-up` says that it must be set',
    ...PAGE,
  }),
  SELF_SERVICE: text(
    'whether people open accounts on the Free plan at `/sign-up`, and programs create trial keys at `POST /trial-keys`. With `off`, the operator creates accounts (`npm run cli -- org create`) and invites members',
    { default: 'off', shown: '`off`; in the demo of `npm start`: `on`', pattern: '^(on|off)$', must: 'be on or off' },
  ),
  OPENSEARCH_URL: text('nodes of the OpenSearch cluster, separated by commas', { needed: true, ...ADDRESSES }),
  INDEX_PREFIX: text('prefix of all index names, for several installations on one cluster', {
    default: '',
    shown: 'none',
  }),
  INDEX_COPIES: whole(
    'copies of each index, at most one on a data node, for the load of searches and for nodes that fail ([scale.md](scale.md)). `npm run reindex` applies a change',
    { maximum: 10, default: 2 },
  ),
  DATABASE_URL: text(
    'Postgres database, as a URL with one host: `postgres://user:password@host:5432/database`. In the password, `#` is written `%23`. `sslmode=require` verifies the certificate. Behind a connection pooler in transaction mode, `DATABASE_DIRECT_URL` is needed too ([install.md](install.md#connection-poolers))',
    { needed: true, ...POSTGRES_URL },
  ),
  DATABASE_DIRECT_URL: text(
    'the same database without the pooler: Postgres itself, or a pooler in session mode. Migrations, locks, workers and commands use it; only requests use `DATABASE_URL`',
    { shown: 'none: `DATABASE_URL` keeps sessions', ...POSTGRES_URL },
  ),
  S3_ENDPOINT: text('S3 server', { needed: true }),
  AWS_REGION: text('region of the S3 server', { default: 'us-east-1' }),
  AWS_ACCESS_KEY_ID: text('access key of the S3 server', { needed: true }),
  AWS_SECRET_ACCESS_KEY: text('secret of the access key', { needed: true, secret: true }),
  S3_PUBLIC_ENDPOINT: text('public URL of the S3 server, for signed links to export files', { shown: '`S3_ENDPOINT`' }),
  CDN_BUCKET: text('bucket of photos', { default: 'cdn' }),
  EXPORTS_BUCKET: text('bucket of export files', { default: 'exports' }),
  FEEDS_DIR: text(
    'folder of your feeds: one file or folder per source, as `ingest/sources/<name>/source.ts` declares',
    { shown: "the sample's folder" },
  ),
  FEEDS_HOST_URL: text(
    'root URL of a host whose photos are fetched even if its address is private; photos at all other private addresses are refused',
    { shown: 'none' },
  ),
  FEEDS_SOURCES: text('names of the sources to read, separated by commas. A source without its feed counts as failed', {
    shown: 'those with a feed in `FEEDS_DIR`, now or earlier',
  }),
  OFFICIAL_DIR: text('folder of official data that the worker watches', { shown: '`FEEDS_DIR/official`' }),
  BOUNDARIES_FILE: text(
    'GeoJSON FeatureCollection with boundaries of neighborhoods, up to 32 MB ([format](feeds.md#boundaries-of-neighborhoods)). API and workers read it once at start and need the same file',
    { shown: 'none' },
  ),
  PLACES_FILE: text(
    'GeoJSON FeatureCollection with stations, schools, universities, malls and other places that search sentences name, up to 2 MB ([format](run.md#places-in-search-sentences)). The API reads it once at start',
    { shown: 'none; in the demo of `npm start`: `sample/places.geojson`' },
  ),
  MAP_TILES_FILE: text(
    "PMTiles file with roads and names, which the site's map draws ([how to make it](run.md#roads-and-names-on-the-map))",
    { shown: 'none' },
  ),
  HISTORY_START: text('first day of the listing history; earlier months have no data', {
    default: '2026-03-09',
    format: 'day',
    must: 'be a day, YYYY-MM-DD',
  }),
  KEY_PEPPER: text(
    'key of the HMAC under which API keys are stored, at least 32 characters. A change invalidates all keys',
    { needed: true, ...PEPPER, must: 'have at least 32 characters. Generate one with: openssl rand -hex 32' },
  ),
  KEY_PEPPER_OLD: text(
    'another pepper that is accepted while `KEY_PEPPER` is rotated: keys stored under it are stored under `KEY_PEPPER` when they are used, and secrets derived from it stay valid',
    { shown: 'none', ...PEPPER },
  ),
  DEAL_IDS_PEPPER: text(
    'pepper of the ids of registered deals. Set it to the first `KEY_PEPPER` when that is rotated, so that imports assign the same ids',
    { shown: '`KEY_PEPPER`', ...PEPPER },
  ),
  CURSOR_SECRETS: text(
    '`id:secret,id:secret`, newest first, secrets of at least 32 characters without colons. The first signs cursors and sessions of the site; all of them, and the secret from the pepper, verify them',
    SECRETS,
  ),
  ENCRYPTION_KEYS: text(
    '`id:secret,id:secret`, newest first, secrets of at least 32 characters without colons. The first encrypts the signing secrets of webhooks; all of them, and the secret from the pepper, decrypt them',
    SECRETS,
  ),
  WEBHOOK_PRIVATE_HOSTS: text(
    'hosts with ports, separated by commas, that webhooks may call at private addresses and without https. Their names may be in `/etc/hosts`; all others are resolved by name servers. For tests and private networks',
    {
      shown: 'none; `npm start` on a loopback `HOST` without `BASE_URL` and `SITE_URL`: `127.0.0.1:9100`',
      pattern: '^\\s*[^\\s/@,]+:\\d{1,5}(\\s*,\\s*[^\\s/@,]+:\\d{1,5})*\\s*$',
      must: 'be hosts with their ports, such as 127.0.0.1:9100,hooks.internal:443',
    },
  ),
  WEBHOOK_SOURCE_ADDRESSES: text(
    'addresses and CIDR ranges that webhooks are sent from, separated by commas, as receivers see them: those of your NAT or proxy. The guide on webhooks states them; they change nothing else',
    {
      shown: 'none: the guide states that they can change',
      pattern: '^\\s*[\\da-fA-F.:]+(/\\d{1,3})?(\\s*,\\s*[\\da-fA-F.:]+(/\\d{1,3})?)*\\s*$',
      must: 'be addresses or CIDR ranges, such as 203.0.113.7,198.51.100.0/28',
    },
  ),
  SMTP_URL: text(
    'mail server, such as `smtps://user:password@mail.example.com:465`, for links to sign in, invitations, and messages to owners about disabled webhook endpoints. Without it nobody signs in, except on a loopback `HOST` and `SITE_URL`, where `/sign-in/inbox` shows the mail. `smtp://` uses TLS where the server offers it, and requires it with `?requireTLS=true`',
    {
      shown: 'none',
      pattern: '^smtps?://\\S+$',
      must: 'be an address like smtps://user:password@mail.example.com:465',
      secret: true,
    },
  ),
  MAIL_FROM: text('address that mail is sent from', {
    shown: '*needed* with `SMTP_URL`',
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    must: 'be the address that mail is sent from',
  }),
  TRUSTED_PROXIES: text('addresses and CIDR ranges whose `X-Forwarded-For` is trusted', { default: '', shown: 'none' }),
  UNCHARGED_CALLS_PER_MINUTE: whole(
    'requests of one key per minute and node that cost no units: free operations, invalid and refused requests',
    { default: 1200 },
  ),
  FREE_BYTES_PER_MINUTE: whole(
    'compressed response bytes of free GET requests per minute and node: of each key, and of each address for documents without a key',
    { default: 30_000_000 },
  ),
  UNKNOWN_KEYS_PER_MINUTE: whole('requests with an unknown key per address, minute and node', { default: 60 }),
  MAX_CONNECTIONS: whole(
    'open connections of clients that have sent a request, per node. The default is 85% of the limit minus 512 files for the service itself (below 1024: minus half of it). An eighth as many may be open without a request: a value of your own needs a limit on open files of at least 1.125 times it and 512 more',
    { shown: "from the process's limit on open files, at most 10000" },
  ),
  MAX_CONNECTIONS_PER_ADDRESS: whole(
    'the same from one address (an IPv6 /64 counts as one), except the addresses of `TRUSTED_PROXIES`',
    { shown: 'half of `MAX_CONNECTIONS`, at most 1000' },
  ),
  LISTING_CACHE_BYTES: whole(
    'memory of the listing cache of an API process, in addition to its other memory; 0 disables the cache',
    {
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      shown: 'a sixteenth of the memory of the machine or container, at most 1 GiB',
    },
  ),
  TIMEOUT_FACTOR: whole(
    'multiplies the limits on waits for OpenSearch and Postgres (10 seconds in total at 1), for machines that are always slow',
    { maximum: 20, default: 1 },
  ),
  PAGE_VIEWS_PER_MINUTE: whole(
    'site pages that query the datastores (home and its answers while typing, searches in the explorer, listings, pricing, coverage, status, links to ads, preview images, sitemaps), per address, minute and node. Over it, the page of the explorer has no listings, which its script then requests',
    { default: 120 },
  ),
  EXPLORER_CALLS_PER_MINUTE: whole(
    'searches, counts and maps that pages request without a key, per browser session, minute and node; an estimate counts as ten. An address has four times as many',
    { default: 240 },
  ),
  SITE_LISTINGS_PER_DAY: whole(
    'different listings that visitors without a key receive per browser session and UTC day, on pages and in the explorer together, with pins of the map. An address (an IPv6 /64 counts as one) has ten times as many. All nodes count together',
    { default: 1000 },
  ),
  PLAN_PRICES: text(
    'prices of plans on the pricing page, in riyals per month: `starter=500,growth=1500`. The page shows plans without a price as "on request", and Free as free',
    {
      shown: 'none: "on request"',
      pattern: '^\\s*[a-z]+=\\d{1,7}(\\.\\d\\d)?(\\s*,\\s*[a-z]+=\\d{1,7}(\\.\\d\\d)?)*\\s*$',
      must: 'be prices like starter=500,growth=1500',
    },
  ),
  OVERAGE_PRICES: text(
    'prices of 1,000 units beyond the quota, in riyals, by plan: `starter=6,growth=5`. Each start of a process stores them, and calls are charged with them. The same for all processes',
    {
      shown: 'unchanged: at first `starter=6,growth=5,pro=4`',
      pattern: '^\\s*[a-z]+=\\d{1,6}(\\.\\d{1,4})?(\\s*,\\s*[a-z]+=\\d{1,6}(\\.\\d{1,4})?)*\\s*$',
      must: 'be prices like starter=6,growth=5.5',
    },
  ),
  INCIDENTS_FILE: text(
    'JSON file with incidents for the status page ([format](run.md#incidents-on-the-status-page)). Changes appear within 30 seconds',
    { shown: 'none' },
  ),
  QUERY_LOG: text(
    'whether search texts (`q` and sentences) are counted by day for 30 days, folded and without their callers, for `npm run cli -- queries` ([what is stored](security.md#logged-search-texts))',
    { default: 'off', pattern: '^(on|off)$', must: 'be on or off' },
  ),
  METRICS_PORT: whole(
    'port of `/metrics` for Prometheus and of `/tuning` for search engineers, on the address of `HOST`. Without it, neither is served',
    { minimum: 0, maximum: 65_535, shown: 'none' },
  ),
  LOG_LEVEL: text('level of the log. Below `info` (`debug`, `trace`) repeated lines are not sampled', {
    default: 'info',
    pattern: '^(trace|debug|info|warn|error|fatal|silent)$',
    must: 'be trace, debug, info, warn, error, fatal or silent',
  }),
} as const satisfies Readonly<Record<string, Variable>>;

type Table = typeof VARIABLES;
export type VariableName = keyof Table;
type Value<Name extends VariableName> =
  | (Table[Name] extends { type: 'integer' } ? number : string)
  | (Table[Name] extends { default: unknown } | { needed: true } ? never : undefined);
/** Values by variable name; undefined where a variable without a constant default is not set. */
export type Variables<Name extends VariableName = VariableName> = { [Each in Name]: Value<Each> };
export type Environment = Readonly<Record<string, string | undefined>>;

export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

// The TypeScript compiler checks the table, so validation against the metaschema is disabled.
const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, validateSchema: false })
  .addVocabulary(['needed', 'shown', 'must', 'secret'])
  .addFormat('postgres', (text) => postgresFault(text) === null)
  .addFormat('day', (text) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    // For a day that does not exist, JavaScript returns another day or NaN.
    return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
  });

/**
 * Empty variables count as not set.
 * @param names without others that are needed
 * @throws Error with one line for each missing or invalid variable
 */
export function readVariables<Name extends VariableName = VariableName>(
  env: Environment,
  names: readonly Name[] = VARIABLE_NAMES as Name[],
): Variables<Name> {
  const values = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const validate = ajv.compile({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, VARIABLES[name]])),
    required: names.filter((name) => 'needed' in VARIABLES[name]),
    dependencies: { SMTP_URL: ['MAIL_FROM'] },
  });
  if (!validate(values)) throw new Error([...new Set(validate.errors?.map((error) => mistake(error, env)))].join('\n'));
  return values as Variables<Name>;
}

function mistake({ keyword, params, instancePath }: ErrorObject, env: Environment): string {
  if (keyword === 'required')
    return `${params.missingProperty} is not set. Run \`npm start\` for embedded engines, or set it.`;
  if (keyword === 'dependencies') return `${params.missingProperty} is not set. ${params.property} needs it.`;
  const name = instancePath.slice(1) as VariableName;
  const variable: Variable = VARIABLES[name];
  if (variable.type === 'integer')
    return `${name} must be a whole number from ${variable.minimum} to ${variable.maximum}, not "${env[name]}".`;
  const must = typeof variable.must === 'function' ? variable.must(env[name] ?? '') : variable.must;
  const end = must?.includes('. ') ? '' : '.';
  return `${name} must ${must}${variable.secret ? '' : `, not "${env[name]}"`}${end}`;
}

/** Completes "DATABASE_URL must …" for a value that the driver cannot use; null for others, such as a path to a socket. */
function postgresFault(url: string): string | null {
  if (url.includes('#')) return 'have its password percent-encoded: write # as %23';
  const [, hosts = ''] = /^[a-z]+:\/\/(?:[^/?]*@)?([^/?]*)/i.exec(url) ?? [];
  const named = new URLSearchParams(url.split('?')[1]).get('host') ?? '';
  if (`${hosts}${named}`.includes(','))
    return 'have one host, because the driver `pg` connects to one. Use a name that follows the primary, such as the service `-rw` of CloudNativePG or HAProxy before Patroni.';
  // With a path of a socket in `?host=`, the URL has no host.
  const isUrl = !url.includes('://') || URL.canParse(url.replace('@/', '@socket/'));
  return isUrl
    ? null
    : 'be a URL like postgres://user:password@host:5432/database, with / ? @ and % of the password percent-encoded';
}
