import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Boundaries, NO_BOUNDARIES, readBoundaries } from '#domain/geography/boundaries.ts';
import { messageOf } from '#domain/message-of.ts';
import { type Environment, readVariables } from './variables.ts';

/** An installation's configuration. It is read once from the environment and passed to the code that needs it. */
export interface Config {
  serviceName: string;
  /** `mailto:` or http(s) URL for keys, plans and support. Null for none. */
  contactUrl: string | null;
  host: string;
  port: number;
  /** Root URL of the API, including the version segment, without a trailing slash. */
  baseUrl: string;
  /** Root URL of the public site. A listing's `url` and `source.url` begin with it. */
  siteUrl: string;
  /** Public root URL of the CDN bucket. */
  cdnUrl: string;
  opensearch: { /** URLs of the cluster's nodes. */ urls: readonly string[]; indexPrefix: string };
  databaseUrl: string;
  s3: {
    endpoint: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    /** Endpoint used in signed links, which API clients can reach. */
    publicEndpoint: string;
    cdnBucket: string;
    exportsBucket: string;
  };
  /** Folder with feeds, and host of paged feeds. If `dir` is null, only the sample feeds are read. */
  feeds: {
    dir: string | null;
    hostUrl: string | null;
    /** Names of the sources to read. If null, all sources that have a feed or had one before are read. */
    sources: readonly string[] | null;
  };
  /** Folder with official open data. Defaults to `official` in the feeds folder; null without a feeds folder. */
  officialDir: string | null;
  /** Surveyed boundaries of neighborhoods. Empty without a file. */
  boundaries: Boundaries;
  /** First day of the listing history, `YYYY-MM-DD`. Earlier months have no data. */
  historyStart: string;
  /** HMAC secret with which stored API keys are hashed. */
  keyPepper: string;
  /** Another pepper that is accepted during a rotation. Null for none. */
  oldKeyPepper: string | null;
  /** Secret of the HMAC that creates the ids of registered deals. */
  dealIdsPepper: string;
  /** Secrets of cursors. New cursors are signed with the first one; all of them verify, so that secrets can be rotated. */
  cursorSecrets: readonly { id: string; secret: string }[];
  /** Keys that encrypt stored secrets. The first key encrypts, but all keys decrypt. */
  encryptionKeys: readonly { id: string; secret: string }[];
  /** Hosts with ports that webhooks may call without https and at private addresses, for tests and private networks. */
  webhookPrivateHosts: readonly string[];
  /** SMTP server and sender address for email to owners. Null disables email. */
  mail: { smtpUrl: string; from: string } | null;
  /** Proxies whose `X-Forwarded-For` header is trusted, as CIDR ranges. */
  trustedProxies: readonly string[];
  /** Maximum number of client connections to this process. */
  connections: ConnectionLimits;
  /** Limits per process on requests that cost no units. */
  limits: CallLimits;
  /** Factor by which all datastore timeouts are multiplied: 1 by default, more on slow machines. */
  timeoutFactor: number;
  /** Size in bytes of the listing cache in an API process. 0 disables the cache. */
  listingCacheBytes: number;
  /** Prices of plans in riyals per month, by the name of the plan, for the pricing page. */
  planPrices: Readonly<Record<string, number>>;
  /** JSON file with incidents for the status page. Null for none. */
  incidentsFile: string | null;
  /** Folder with the journals of pending refunds. Processes and containers may share it. */
  journalDir: string;
  logLevel: string;
  /** Port of the metrics endpoint. Null disables it. */
  metricsPort: number | null;
  /** Receiver of traces; null to record none. */
  tracing: TracingConfig | null;
}

interface TracingConfig {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Share of recorded traces, 0 to 1. */
  ratio: number;
}

/** Connection limits. Both count only connections that have sent a request. */
interface ConnectionLimits {
  total: number;
  /** Limit per IP address, except for trusted proxies. An IPv6 /64 network counts as one address. */
  perAddress: number;
}

/** Limits per minute. A burst may use up the whole limit at once. */
interface CallLimits {
  /** Per key: calls that cost no units, which are calls to free endpoints, invalid calls and rejected calls. */
  unchargedCalls: number;
  /** Response bytes from free operations per key, and from documents that need no key per IP address. */
  freeBytes: number;
  /** Requests with unknown keys, per IP address. */
  unknownKeys: number;
  /** Site pages that query the datastores, per IP address. */
  pageViews: number;
}

/**
 * Reads the configuration. Environment variables override `defaults`, which the embedded engines provide.
 * @throws Error with one line for each missing or invalid variable, or for each wrong feature of the file of boundaries
 */
export function readConfig(env: Environment, defaults: Environment = {}): Config {
  const set = Object.entries(env).filter(([, value]) => value);
  const {
    PORT: port,
    KEY_PEPPER: pepper,
    KEY_PEPPER_OLD: oldPepper,
    ...read
  } = readVariables({ ...defaults, ...Object.fromEntries(set) });
  const siteUrl = withoutSlash(read.SITE_URL ?? `http://127.0.0.1:${port}`);
  const maxConnections = read.MAX_CONNECTIONS ?? descriptorShare();
  return {
    serviceName: read.SERVICE_NAME,
    contactUrl: read.CONTACT?.replace(/^(?!https?:)/, 'mailto:') ?? null,
    host: read.HOST,
    port,
    siteUrl,
    baseUrl: withoutSlash(read.BASE_URL ?? `${siteUrl}/v1`),
    cdnUrl: withoutSlash(read.CDN_URL ?? `${siteUrl}/cdn`),
    opensearch: { urls: readList(read.OPENSEARCH_URL), indexPrefix: read.INDEX_PREFIX },
    databaseUrl: read.DATABASE_URL,
    s3: {
      endpoint: read.S3_ENDPOINT,
      region: read.AWS_REGION,
      accessKeyId: read.AWS_ACCESS_KEY_ID,
      secretAccessKey: read.AWS_SECRET_ACCESS_KEY,
      publicEndpoint: read.S3_PUBLIC_ENDPOINT ?? read.S3_ENDPOINT,
      cdnBucket: read.CDN_BUCKET,
      exportsBucket: read.EXPORTS_BUCKET,
    },
    feeds: {
      dir: read.FEEDS_DIR ?? null,
      hostUrl: read.FEEDS_HOST_URL ?? null,
      sources: read.FEEDS_SOURCES === undefined ? null : readList(read.FEEDS_SOURCES),
    },
    officialDir: read.OFFICIAL_DIR ?? (read.FEEDS_DIR === undefined ? null : join(read.FEEDS_DIR, 'official')),
    boundaries: read.BOUNDARIES_FILE === undefined ? NO_BOUNDARIES : loadBoundaries(read.BOUNDARIES_FILE),
    historyStart: read.HISTORY_START,
    keyPepper: pepper,
    oldKeyPepper: oldPepper ?? null,
    dealIdsPepper: read.DEAL_IDS_PEPPER ?? pepper,
    cursorSecrets: readSecrets(read.CURSOR_SECRETS, 'cursor', pepper, oldPepper),
    encryptionKeys: encryptionKeys(read.ENCRYPTION_KEYS, pepper, oldPepper),
    webhookPrivateHosts: readList(read.WEBHOOK_PRIVATE_HOSTS),
    mail: read.SMTP_URL === undefined ? null : { smtpUrl: read.SMTP_URL, from: read.MAIL_FROM as string },
    trustedProxies: readList(read.TRUSTED_PROXIES),
    connections: {
      total: maxConnections,
      perAddress: read.MAX_CONNECTIONS_PER_ADDRESS ?? Math.min(MAX_DEFAULT_PER_ADDRESS, Math.ceil(maxConnections / 2)),
    },
    limits: {
      unchargedCalls: read.UNCHARGED_CALLS_PER_MINUTE,
      freeBytes: read.FREE_BYTES_PER_MINUTE,
      unknownKeys: read.UNKNOWN_KEYS_PER_MINUTE,
      pageViews: read.PAGE_VIEWS_PER_MINUTE,
    },
    timeoutFactor: read.TIMEOUT_FACTOR,
    listingCacheBytes: read.LISTING_CACHE_BYTES ?? memoryShare(),
    planPrices: Object.fromEntries(
      readList(read.PLAN_PRICES).map((part) => {
        const [name = '', price] = part.split('=');
        return [name, Number(price)];
      }),
    ),
    incidentsFile: read.INCIDENTS_FILE ?? null,
    journalDir: read.JOURNAL_DIR ?? join(env.DATA_DIR || defaults.DATA_DIR || '.data', 'journal'),
    logLevel: read.LOG_LEVEL,
    metricsPort: read.METRICS_PORT ?? null,
    tracing:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: withoutSlash(read.OTEL_EXPORTER_OTLP_ENDPOINT),
            headers: readHeaders(read.OTEL_EXPORTER_OTLP_HEADERS),
            serviceName: read.OTEL_SERVICE_NAME,
            ratio: Number(read.OTEL_TRACES_SAMPLER_ARG),
          },
  };
}

const MAX_BOUNDARIES_BYTES = 32_000_000;

function loadBoundaries(file: string): Boundaries {
  try {
    const { size } = statSync(file);
    if (size > MAX_BOUNDARIES_BYTES)
      throw new Error(`It has ${size} bytes, and at most ${MAX_BOUNDARIES_BYTES} are accepted. Simplify the polygons.`);
    return readBoundaries(readFileSync(file, 'utf8'));
  } catch (error) {
    const lines = messageOf(error).split('\n');
    throw new Error(lines.map((line) => `BOUNDARIES_FILE ${file}: ${line}`).join('\n'));
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

function readList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads `name=value,name=value`. Values are percent-encoded, as OpenTelemetry defines. */
const readHeaders = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    readList(text).map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))];
    }),
  );

/** Reads the URLs of the OpenSearch nodes, for tools that need no other variable. @throws Error if the variable is invalid */
export const readNodes = (env: Environment): string[] =>
  readList(readVariables(env, ['OPENSEARCH_URL']).OPENSEARCH_URL);

/** Returns the default size of the listing cache: a sixteenth of the machine's or container's memory, at most 1 GiB. */
function memoryShare(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(Math.floor(memory / 16), 2 ** 30);
}

/** File descriptors in an API process that are reserved for datastores, files and workers. */
const RESERVED_DESCRIPTORS = 512;
/**
 * Share of the remaining descriptors for connections that have sent a request. The rest is for connections that have
 * not (`src/http/limits/connections.ts`).
 */
const SHARE_OF_USED_CONNECTIONS = 0.85;
const MAX_DEFAULT_CONNECTIONS = 10_000;
const MAX_DEFAULT_PER_ADDRESS = 1_000;

/**
 * Returns the default maximum number of client connections. At least half of the process's file descriptors are
 * available to clients.
 */
function descriptorShare(): number {
  const { report } = process;
  // Without this option, the report resolves all peers' host names, which is slow.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } };
  const soft = Number(userLimits?.open_files?.soft);
  // NaN means that the limit is `unlimited`, or that the operating system has none.
  if (Number.isNaN(soft)) return MAX_DEFAULT_CONNECTIONS;
  const forClients = soft - Math.min(RESERVED_DESCRIPTORS, Math.ceil(soft / 2));
  return Math.max(1, Math.min(MAX_DEFAULT_CONNECTIONS, Math.floor(forClients * SHARE_OF_USED_CONNECTIONS)));
}

type Secret = { id: string; secret: string };

/**
 * Parses `id:secret,id:secret`, newest first. A secret derived from each pepper follows; these share an id. They are the
 * only ones if the variable is not set. Values that they protect stay valid when the variable is set later.
 */
function readSecrets(text: string | undefined, purpose: string, ...peppers: (string | undefined)[]): Secret[] {
  const configured = text?.split(',').map((part) => {
    const [id, secret] = part.split(':') as [string, string];
    return { id, secret };
  });
  const derived = peppers.flatMap((pepper) =>
    pepper === undefined
      ? []
      : [{ id: 'a', secret: createHash('sha256').update(`${purpose}:${pepper}`).digest('hex') }],
  );
  return [...(configured ?? []), ...derived];
}

/** Reads the keys that encrypt stored secrets. Also for tools that need no other part of the configuration. */
export const encryptionKeys = (text: string | undefined, pepper: string, oldPepper?: string): Secret[] =>
  readSecrets(text, 'encryption', pepper, oldPepper);
