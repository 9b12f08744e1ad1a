import { Ajv, type ErrorObject } from 'ajv';

/** Documentation text for a default that depends on other variables or on the machine. */
interface Shown {
  shown?: string;
}

type Variable = { description: string; needed?: true } & Shown &
  (
    | { type: 'integer'; default?: number; minimum: number; maximum: number }
    /**
     * `must` completes the error message "X must …" for a value that does not match the pattern. Secret values are not
     * shown.
     */
    | { type: 'string'; default?: string; pattern?: string; format?: 'day'; must?: string; secret?: true }
  );

const whole = <Rest extends Shown & { default?: number }>(
  minimum: number,
  maximum: number,
  description: string,
  rest: Rest = {} as Rest,
) => ({ type: 'integer' as const, minimum, maximum, description, ...rest });

const ADDRESSES = {
  pattern: '^\\s*https?://[^\\s,]+(\\s*,\\s*https?://[^\\s,]+)*\\s*$',
  must: 'be addresses like http://host:9200, with commas between them',
  // These URLs may contain a password.
  secret: true,
} as const;
const SECRETS = {
  type: 'string',
  shown: 'from the pepper',
  pattern: '^[a-z0-9]{1,8}:[^:,]{32,}(,[a-z0-9]{1,8}:[^:,]{32,})*$',
  must: 'be id:secret,id:secret with ids of 1 to 8 letters and digits, and secrets of at least 32 characters without colons',
  secret: true,
} as const;
const MANY = 999_999_999;

/**
 * Every environment variable that the service reads. Validation, types and `docs/configuration.md` are derived from
 * this table.
 */
const VARIABLES = {
  PORT: whole(0, 65_535, 'port of the API', { default: 8080 }),
  HOST: { type: 'string', default: '127.0.0.1', description: 'address that the API listens on' },
  SITE_URL: {
    type: 'string',
    shown: '`http://127.0.0.1:PORT`',
    description: 'root URL of the site; `url` and `source.url` of listings begin with it',
  },
  BASE_URL: {
    type: 'string',
    shown: '`SITE_URL/v1`',
    description: 'root URL of the API as clients see it, with the version',
  },
  CDN_URL: { type: 'string', shown: '`SITE_URL/cdn`', description: 'public root URL of the bucket of photos' },
  SERVICE_NAME: {
    type: 'string',
    default: 'Property Listings API',
    description: 'name on pages and in `openapi.json`',
  },
  CONTACT: {
    type: 'string',
    shown: 'none',
    pattern: '^(https?://\\S+|[^\\s@<>:]+@[^\\s@<>]+)$',
    must: 'be a mail address or a URL like https://example.com/contact',
    description:
      'mail address or URL for keys, plans and support, which the site links in the footer, on the pricing page, in the FAQ and under the field for a key',
  },
  OPENSEARCH_URL: {
    type: 'string',
    needed: true,
    ...ADDRESSES,
    description: 'nodes of the OpenSearch cluster, separated by commas',
  },
  INDEX_PREFIX: {
    type: 'string',
    default: '',
    shown: 'none',
    description: 'prefix of all index names, for several installations on one cluster',
  },
  DATABASE_URL: { type: 'string', needed: true, secret: true, description: 'Postgres database' },
  S3_ENDPOINT: { type: 'string', needed: true, description: 'S3 server' },
  AWS_REGION: { type: 'string', default: 'us-east-1', description: 'region of the S3 server' },
  AWS_ACCESS_KEY_ID: { type: 'string', needed: true, description: 'access key of the S3 server' },
  AWS_SECRET_ACCESS_KEY: {
    type: 'string',
    needed: true,
    secret: true,
    description: 'secret of the access key',
  },
  S3_PUBLIC_ENDPOINT: {
    type: 'string',
    shown: '`S3_ENDPOINT`',
    description: 'public URL of the S3 server, for signed links to export files',
  },
  CDN_BUCKET: { type: 'string', default: 'cdn', description: 'bucket of photos' },
  EXPORTS_BUCKET: { type: 'string', default: 'exports', description: 'bucket of export files' },
  FEEDS_DIR: {
    type: 'string',
    shown: "the sample's folder",
    description: 'folder of your feeds: one file or folder per source, as `ingest/sources/<name>/source.ts` declares',
  },
  FEEDS_HOST_URL: {
    type: 'string',
    shown: 'none',
    description:
      'root URL of the host that serves paged feeds. Photos are also fetched from this host and port if its address is private; all other private addresses are refused',
  },
  FEEDS_SOURCES: {
    type: 'string',
    shown: 'those with a feed in `FEEDS_DIR`, now or earlier',
    description: 'names of the sources to read, separated by commas. A source without its feed counts as failed',
  },
  OFFICIAL_DIR: {
    type: 'string',
    shown: '`FEEDS_DIR/official`',
    description: 'folder of official data that the worker watches',
  },
  BOUNDARIES_FILE: {
    type: 'string',
    shown: 'none',
    description:
      'GeoJSON FeatureCollection with boundaries of neighborhoods, up to 32 MB ([format](operator.md#boundaries-of-neighborhoods)). API and workers read it once at start and need the same file',
  },
  HISTORY_START: {
    type: 'string',
    default: '2026-03-09',
    format: 'day',
    must: 'be a day, YYYY-MM-DD',
    description: 'first day of the listing history; earlier months have no data',
  },
  KEY_PEPPER: {
    type: 'string',
    needed: true,
    pattern: '^.{32,}$',
    must: 'have at least 32 characters. Generate one with: openssl rand -hex 32',
    secret: true,
    description:
      'key of the HMAC under which API keys are stored, at least 32 characters. A change invalidates all keys',
  },
  KEY_PEPPER_OLD: {
    type: 'string',
    shown: 'none',
    pattern: '^.{32,}$',
    must: 'have at least 32 characters',
    secret: true,
    description:
      'another pepper that is accepted while `KEY_PEPPER` is rotated: keys stored under it are stored under `KEY_PEPPER` when they are used, and secrets derived from it stay valid',
  },
  DEAL_IDS_PEPPER: {
    type: 'string',
    shown: '`KEY_PEPPER`',
    pattern: '^.{32,}$',
    must: 'have at least 32 characters',
    secret: true,
    description:
      'pepper of the ids of registered deals. Set it to the first `KEY_PEPPER` when that is rotated, so that imports assign the same ids',
  },
  CURSOR_SECRETS: {
    ...SECRETS,
    description:
      '`id:secret,id:secret`, newest first, secrets of at least 32 characters without colons. The first signs cursors; all of them, and the secret from the pepper, verify them',
  },
  ENCRYPTION_KEYS: {
    ...SECRETS,
    description:
      '`id:secret,id:secret`, newest first, secrets of at least 32 characters without colons. The first encrypts the signing secrets of webhooks; all of them, and the secret from the pepper, decrypt them',
  },
  WEBHOOK_PRIVATE_HOSTS: {
    type: 'string',
    shown: 'none; `npm start` on a loopback `HOST` without `BASE_URL` and `SITE_URL`: `127.0.0.1:9100`',
    pattern: '^\\s*[^\\s/@,]+:\\d{1,5}(\\s*,\\s*[^\\s/@,]+:\\d{1,5})*\\s*$',
    must: 'be hosts with their ports, such as 127.0.0.1:9100,hooks.internal:443',
    description:
      'hosts with ports, separated by commas, that webhooks may call at private addresses and without https. Their names may be in `/etc/hosts`; all others are resolved by name servers. For tests and private networks',
  },
  SMTP_URL: {
    type: 'string',
    shown: 'none',
    pattern: '^smtps?://\\S+$',
    must: 'be an address like smtps://user:password@mail.example.com:465',
    secret: true,
    description:
      'mail server, such as `smtps://user:password@mail.example.com:465`: owners receive mail about disabled webhook endpoints. `smtp://` uses TLS where the server offers it, and requires it with `?requireTLS=true`',
  },
  MAIL_FROM: {
    type: 'string',
    shown: '*needed* with `SMTP_URL`',
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    must: 'be the address that mail is sent from',
    description: 'address that mail is sent from',
  },
  TRUSTED_PROXIES: {
    type: 'string',
    default: '',
    shown: 'none',
    description: 'addresses and CIDR ranges whose `X-Forwarded-For` is trusted',
  },
  UNCHARGED_CALLS_PER_MINUTE: whole(
    1,
    MANY,
    'requests of one key per minute and node that cost no units: free operations, invalid and refused requests',
    { default: 1200 },
  ),
  FREE_BYTES_PER_MINUTE: whole(
    1,
    MANY,
    'compressed response bytes of free GET requests per minute and node: of each key, and of each address for documents without a key',
    { default: 30_000_000 },
  ),
  UNKNOWN_KEYS_PER_MINUTE: whole(1, MANY, 'requests with an unknown key per address, minute and node', {
    default: 60,
  }),
  MAX_CONNECTIONS: whole(
    1,
    MANY,
    'open connections of clients that have sent a request, per node. The default is 85% of the limit minus 512 files for the service itself (below 1024: minus half of it). An eighth as many may be open without a request: a value of your own needs a limit on open files of at least 1.125 times it and 512 more',
    { shown: "from the process's limit on open files, at most 10000" },
  ),
  MAX_CONNECTIONS_PER_ADDRESS: whole(
    1,
    MANY,
    'the same from one address (an IPv6 /64 counts as one), except the addresses of `TRUSTED_PROXIES`',
    { shown: 'half of `MAX_CONNECTIONS`, at most 1000' },
  ),
  LISTING_CACHE_BYTES: whole(
    0,
    Number.MAX_SAFE_INTEGER,
    'memory of the listing cache of an API process, in addition to its other memory; 0 disables the cache',
    { shown: 'a sixteenth of the memory of the machine or container, at most 1 GiB' },
  ),
  TIMEOUT_FACTOR: whole(
    1,
    20,
    'multiplies the limits on waits for OpenSearch and Postgres (10 seconds in total at 1), for machines that are always slow',
    { default: 1 },
  ),
  PAGE_VIEWS_PER_MINUTE: whole(
    1,
    MANY,
    'site pages that query the datastores (home, listings, pricing, coverage, status, links to ads, demo of the explorer, preview images, sitemaps), per address, minute and node',
    { default: 120 },
  ),
  PLAN_PRICES: {
    type: 'string',
    shown: 'none: "on request"',
    pattern: '^\\s*[a-z]+=\\d{1,7}(\\.\\d\\d)?(\\s*,\\s*[a-z]+=\\d{1,7}(\\.\\d\\d)?)*\\s*$',
    must: 'be prices like starter=500,growth=1500',
    description:
      'prices of plans on the pricing page, in riyals per month: `starter=500,growth=1500`. The page shows plans without a price as "on request", and Free as free',
  },
  INCIDENTS_FILE: {
    type: 'string',
    shown: 'none',
    description:
      'JSON file with incidents for the status page ([format](operator.md#incidents-on-the-status-page)). Changes appear within 30 seconds',
  },
  JOURNAL_DIR: {
    type: 'string',
    shown: '`DATA_DIR/journal`',
    description:
      'folder of the pending refunds of a node, and of the journal of removals. It must outlive the process, for example on a volume. Nodes may share it',
  },
  METRICS_PORT: whole(
    0,
    65_535,
    'port of `/metrics` for Prometheus and of `/tuning` for search engineers, on the address of `HOST`. Without it, neither is served',
    {
      shown: 'none',
    },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string',
    shown: 'none',
    pattern: '^https?://\\S+$',
    must: 'be an address like http://collector:4318',
    // It may contain a password.
    secret: true,
    description:
      'base URL of an OTLP/HTTP receiver of traces, such as `http://collector:4318`. Without it, no traces are recorded',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: 'string',
    shown: 'none',
    pattern: '^\\s*[\\w-]+=[^,\\s]+(\\s*,\\s*[\\w-]+=[^,\\s]+)*\\s*$',
    must: 'be headers like name=value,name=value, with percent-encoded values',
    secret: true,
    description: 'headers of requests to this receiver: `name=value,name=value`',
  },
  OTEL_SERVICE_NAME: {
    type: 'string',
    default: 'property-listings-api',
    description: 'name of the service in traces',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: 'string',
    default: '1',
    pattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
    must: 'be a number from 0 to 1',
    description: 'share of recorded traces, from 0 to 1',
  },
  LOG_LEVEL: {
    type: 'string',
    default: 'info',
    pattern: '^(trace|debug|info|warn|error|fatal|silent)$',
    must: 'be trace, debug, info, warn, error, fatal or silent',
    description: 'level of the log. Below `info` (`debug`, `trace`) repeated lines are not sampled',
  },
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
  .addFormat('day', (text) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    // For a day that does not exist, JavaScript returns another day or NaN.
    return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
  });

/**
 * Reads variables from an environment. Empty variables count as not set.
 * @param names the variables to read, without the others that are needed
 * @throws Error with one line for each missing or invalid variable: its name and the accepted values
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
  const end = variable.must?.includes('. ') ? '' : '.';
  return `${name} must ${variable.must}${variable.secret ? '' : `, not "${env[name]}"`}${end}`;
}

/** Renders the table in `docs/configuration.md` as Markdown. */
export function renderVariables(): string {
  const rows = Object.entries<Variable>(VARIABLES).map(
    ([name, { shown, needed, default: value, description }]) =>
      `| \`${name}\` | ${needed ? '*needed*' : (shown ?? value)} | ${description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}
