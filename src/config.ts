import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Environment, readVariables } from './variables.ts';

/** Everything an installation sets, read once from the environment and passed in. */
export interface Config {
  serviceName: string;
  host: string;
  port: number;
  /** API root, with the version segment; no slash at the end. */
  baseUrl: string;
  /** The consumer website: `url` and `source.url` of listings lie under it. */
  siteUrl: string;
  /** Where the CDN bucket is served to the public. */
  cdnUrl: string;
  opensearch: { /** The nodes of the cluster. */ urls: readonly string[]; indexPrefix: string };
  databaseUrl: string;
  s3: {
    endpoint: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    /** Where callers reach the buckets, for signed links. */
    publicEndpoint: string;
    cdnBucket: string;
    exportsBucket: string;
  };
  /** The folder of feeds and the host of paged feeds. Without a folder, only the sample's feeds are read. */
  feeds: {
    dir: string | null;
    hostUrl: string | null;
    /** Names of the sources to read; null for those whose feeds are there or were there before. */
    sources: readonly string[] | null;
  };
  /** The folder of official open data; `official` in the folder of feeds when not said, null where there is neither. */
  officialDir: string | null;
  /** First day of the listing history, `YYYY-MM-DD`; months before it have no data. */
  historyStart: string;
  /** Keys the HMAC under which API keys are stored. */
  keyPepper: string;
  /** Another pepper that is accepted during a rotation; null for none. */
  oldKeyPepper: string | null;
  /** Keys the HMAC of the ids of registered deals. */
  dealIdsPepper: string;
  /** The first signs cursors, all verify them, so that secrets can rotate. */
  cursorSecrets: readonly { id: string; secret: string }[];
  /** Keys of stored secrets. The first encrypts, all decrypt. */
  encryptionKeys: readonly { id: string; secret: string }[];
  /** Hosts, with ports, that webhooks may call wherever they are and without https. None but for tests and private networks. */
  webhookPrivateHosts: readonly string[];
  /** Where mail to owners goes out; null where none is sent. */
  mail: { smtpUrl: string; from: string } | null;
  /** Proxies whose `X-Forwarded-For` header is trusted, as CIDR ranges. */
  trustedProxies: readonly string[];
  /** Connections of clients that this process keeps open. */
  connections: ConnectionLimits;
  /** Limits on requests that cost no units, for each process. */
  limits: CallLimits;
  /** Multiplies every limit on waits for datastores: 1, or more on machines that are always slow. */
  timeoutFactor: number;
  /** Bytes of memory in which an API process keeps listings that it served; none when 0. */
  listingCacheBytes: number;
  /** Folder of the refund journals. Processes and containers may share it. */
  journalDir: string;
  logLevel: string;
  /** Port of the metrics; null to serve none. */
  metricsPort: number | null;
}

/** Both count connections that have sent a request. */
interface ConnectionLimits {
  total: number;
  /** From one address (an IPv6 /64 counts as one), unless it is a trusted proxy. */
  perAddress: number;
}

/** Limits a minute; as much may come at once. */
interface CallLimits {
  /** Calls of one key that cost no units: of endpoints without a price, invalid ones, refused ones. */
  unchargedCalls: number;
  /** Bytes of responses of operations that cost no units, to one key; of documents that need no key, to one address. */
  freeBytes: number;
  /** Keys that do not exist, from one address. */
  unknownKeys: number;
  /** Site pages that query the datastores, per address and minute. */
  pageViews: number;
}

/**
 * Reads the configuration. Variables of the environment override `defaults`, which embedded engines set.
 * @throws Error with one line for each missing or invalid variable: its name and the accepted values
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
    journalDir: read.JOURNAL_DIR ?? join(env.DATA_DIR || defaults.DATA_DIR || '.data', 'journal'),
    logLevel: read.LOG_LEVEL,
    metricsPort: read.METRICS_PORT ?? null,
  };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Values separated by commas. */
function readList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The nodes of the OpenSearch cluster, for tools that need no other variable. @throws Error if they are missing or malformed */
export const readNodes = (env: Environment): string[] =>
  readList(readVariables(env, ['OPENSEARCH_URL']).OPENSEARCH_URL);

/** A sixteenth of the memory of this machine or container, at most a gibibyte. */
function memoryShare(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(Math.floor(memory / 16), 2 ** 30);
}

/** Descriptors of an API process that are not for clients, but for its stores, files and workers. */
const RESERVED_DESCRIPTORS = 512;
/** Of the others; the rest is for connections that have sent no request yet (`src/http/connections.ts`). */
const SHARE_OF_USED_CONNECTIONS = 0.85;
const MAX_DEFAULT_CONNECTIONS = 10_000;
const MAX_DEFAULT_PER_ADDRESS = 1_000;

/** File descriptors available to clients: half of the process limit if it is low. */
function descriptorShare(): number {
  const { report } = process;
  // Otherwise the report resolves the names of all peers.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } };
  const soft = Number(userLimits?.open_files?.soft);
  // Not a number: unlimited, or a system without this limit.
  if (Number.isNaN(soft)) return MAX_DEFAULT_CONNECTIONS;
  const forClients = soft - Math.min(RESERVED_DESCRIPTORS, Math.ceil(soft / 2));
  return Math.max(1, Math.min(MAX_DEFAULT_CONNECTIONS, Math.floor(forClients * SHARE_OF_USED_CONNECTIONS)));
}

type Secret = { id: string; secret: string };

/** `id:secret,id:secret`, newest first; without it a secret is derived from each pepper. These secrets share an id. */
function readSecrets(text: string | undefined, purpose: string, ...peppers: (string | undefined)[]): Secret[] {
  if (text === undefined)
    return peppers.flatMap((pepper) =>
      pepper === undefined
        ? []
        : [{ id: 'a', secret: createHash('sha256').update(`${purpose}:${pepper}`).digest('hex') }],
    );
  return text.split(',').map((part) => {
    const [id, secret] = part.split(':') as [string, string];
    return { id, secret };
  });
}

/** The keys of stored secrets, of a whole configuration or for a tool that needs no other part. */
export const encryptionKeys = (text: string | undefined, pepper: string, oldPepper?: string): Secret[] =>
  readSecrets(text, 'encryption', pepper, oldPepper);
