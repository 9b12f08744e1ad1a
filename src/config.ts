import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';

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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration. Variables of the environment override `defaults`, which embedded engines set.
 * @throws Error with one line for each missing or invalid variable: its name and the accepted values
 */
export function readConfig(env: Environment, defaults: Environment = {}): Config {
  const get = (name: string): string | undefined => env[name] || defaults[name];
  const mistakes = new Set<string>();
  /** Returns the result of a reader, or nothing if it throws. All messages are reported together. */
  const collect = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      mistakes.add((error as Error).message);
      return undefined as Value;
    }
  };
  const required = (name: string): string => {
    const value = get(name);
    if (value === undefined) throw new Error(`${name} is not set. Run \`npm start\` for embedded engines, or set it.`);
    return value;
  };
  const need = (name: string): string => collect(() => required(name));
  const number = (name: string, fallback: number, min: number, max = 999_999_999): number => {
    const text = get(name) ?? String(fallback);
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    mistakes.add(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    return fallback;
  };
  const port = number('PORT', 8080, 0, 65_535);
  const siteUrl = (get('SITE_URL') ?? `http://127.0.0.1:${port}`).replace(/\/+$/, '');
  const pepper = need('KEY_PEPPER');
  collect(() => checkPepper(env));
  const maxConnections = number('MAX_CONNECTIONS', descriptorShare(), 1);
  const config: Config = {
    serviceName: get('SERVICE_NAME') ?? 'Property Listings API',
    host: get('HOST') ?? '127.0.0.1',
    port,
    siteUrl,
    baseUrl: (get('BASE_URL') ?? `${siteUrl}/v1`).replace(/\/+$/, ''),
    cdnUrl: (get('CDN_URL') ?? `${siteUrl}/cdn`).replace(/\/+$/, ''),
    opensearch: {
      urls: collect(() => readUrls('OPENSEARCH_URL', required('OPENSEARCH_URL'))),
      indexPrefix: get('INDEX_PREFIX') ?? '',
    },
    databaseUrl: need('DATABASE_URL'),
    s3: {
      endpoint: need('S3_ENDPOINT'),
      region: get('AWS_REGION') ?? 'us-east-1',
      accessKeyId: need('AWS_ACCESS_KEY_ID'),
      secretAccessKey: need('AWS_SECRET_ACCESS_KEY'),
      publicEndpoint: get('S3_PUBLIC_ENDPOINT') ?? need('S3_ENDPOINT'),
      cdnBucket: get('CDN_BUCKET') ?? 'cdn',
      exportsBucket: get('EXPORTS_BUCKET') ?? 'exports',
    },
    feeds: {
      dir: get('FEEDS_DIR') ?? null,
      hostUrl: get('FEEDS_HOST_URL') ?? null,
      sources: get('FEEDS_SOURCES') ? readList(get('FEEDS_SOURCES') as string) : null,
    },
    officialDir: get('OFFICIAL_DIR') ?? (get('FEEDS_DIR') ? join(get('FEEDS_DIR') as string, 'official') : null),
    historyStart: collect(() => readHistoryStart(get('HISTORY_START'))),
    keyPepper: pepper,
    cursorSecrets: collect(() => readSecrets('CURSOR_SECRETS', get('CURSOR_SECRETS'), `cursor:${pepper}`)),
    encryptionKeys: collect(() => readEncryptionKeys(get('ENCRYPTION_KEYS'), pepper)),
    webhookPrivateHosts: collect(() => readPrivateHosts(get('WEBHOOK_PRIVATE_HOSTS'))),
    mail: collect(() => readMail(get('SMTP_URL'), get('MAIL_FROM'))),
    trustedProxies: readList(get('TRUSTED_PROXIES')),
    connections: {
      total: maxConnections,
      perAddress: number(
        'MAX_CONNECTIONS_PER_ADDRESS',
        Math.min(MAX_DEFAULT_PER_ADDRESS, Math.ceil(maxConnections / 2)),
        1,
      ),
    },
    limits: {
      unchargedCalls: number('UNCHARGED_CALLS_PER_MINUTE', 1_200, 1),
      freeBytes: number('FREE_BYTES_PER_MINUTE', 30_000_000, 1),
      unknownKeys: number('UNKNOWN_KEYS_PER_MINUTE', 60, 1),
      pageViews: number('PAGE_VIEWS_PER_MINUTE', 120, 1),
    },
    timeoutFactor: number('TIMEOUT_FACTOR', 1, 1, 20),
    listingCacheBytes: number('LISTING_CACHE_BYTES', memoryShare(), 0, Number.MAX_SAFE_INTEGER),
    journalDir: get('JOURNAL_DIR') ?? join(get('DATA_DIR') ?? '.data', 'journal'),
    logLevel: get('LOG_LEVEL') ?? 'info',
  };
  if (mistakes.size > 0) throw new Error([...mistakes].join('\n'));
  return config;
}

/** Values with commas between them. */
function readList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** One address or several, with commas between them. */
export function readUrls(name: string, text: string): string[] {
  const urls = text.split(',').map((part) => part.trim());
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new Error(`${name} must be addresses like http://host:9200, with commas between them.`);
  return urls;
}

/** The first day of the listing history, of a whole configuration or for a tool that needs no other part. */
export function readHistoryStart(text: string | undefined): string {
  const day = text || '2026-03-09';
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // JavaScript reads a day that does not exist as another day, or not at all.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw new Error(`HISTORY_START must be a day, YYYY-MM-DD, not "${day}".`);
  return day;
}

/** A pepper is the only secret between a dump of the database and guessing keys against it; of other secrets one text is known that they made. */
const MIN_SECRET_LENGTH = 32;

/** @throws Error when the environment has a pepper that is too short */
export function checkPepper({ KEY_PEPPER: pepper }: Environment): void {
  if (!pepper || pepper.length >= MIN_SECRET_LENGTH) return;
  throw new Error(`KEY_PEPPER must have at least ${MIN_SECRET_LENGTH} characters. Make one with: openssl rand -hex 32`);
}

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

/** `id:secret,id:secret`, newest first; without it one secret is derived from the pepper. */
function parseSecrets(name: string, text: string | undefined, derived: string): Secret[] {
  if (text === undefined) return [{ id: 'a', secret: createHash('sha256').update(derived).digest('hex') }];
  return text.split(',').map((part) => {
    const [id, secret, ...rest] = part.split(':');
    if (!id || !secret || !/^[a-z0-9]{1,8}$/.test(id)) throw new Error(`${name} must be id:secret,id:secret.`);
    // A truncated secret would be a different secret.
    if (rest.length > 0) throw new Error(`The secret "${id}" of ${name} must not contain a colon.`);
    return { id, secret };
  });
}

/** Of a whole configuration, or for a tool that needs no other part. */
export const readEncryptionKeys = (text: string | undefined, pepper: string): Secret[] =>
  readSecrets('ENCRYPTION_KEYS', text || undefined, `encryption:${pepper}`);

/** @throws Error when one of them could be guessed */
function readSecrets(name: string, text: string | undefined, derived: string): Secret[] {
  const secrets = parseSecrets(name, text, derived);
  if (secrets.some(({ secret }) => secret.length < MIN_SECRET_LENGTH))
    throw new Error(`A secret of ${name} must have at least ${MIN_SECRET_LENGTH} characters.`);
  return secrets;
}

function readPrivateHosts(text: string | undefined): string[] {
  const hosts = readList(text);
  for (const host of hosts)
    if (!/^[^\s/@]+:\d{1,5}$/.test(host))
      throw new Error(
        `WEBHOOK_PRIVATE_HOSTS must be hosts with their ports, such as 127.0.0.1:9100,hooks.internal:443, not "${host}".`,
      );
  return hosts;
}

function readMail(smtpUrl: string | undefined, from: string | undefined): Config['mail'] {
  if (smtpUrl === undefined) return null;
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? ''))
    throw new Error('SMTP_URL must be an address like smtps://user:password@mail.example.com:465.');
  if (from === undefined || !/^[^\s@<>]+@[^\s@<>]+$/.test(from))
    throw new Error('MAIL_FROM must be the address that mail is sent from, where SMTP_URL is set.');
  return { smtpUrl, from };
}
