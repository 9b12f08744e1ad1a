import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { withoutMark } from '#domain/file-text.ts';
import { type Boundaries, NO_BOUNDARIES, readBoundaries } from '#domain/geography/boundaries.ts';
import { TILES_HEADER_BYTES, tilesFault } from '#domain/geography/map-tiles.ts';
import { type PointOfInterest, readPointsOfInterest } from '#domain/geography/points-of-interest.ts';
import { messageOf } from '#domain/message-of.ts';
import { type Environment, readVariables } from './variables.ts';

/**
 * The configuration of an installation, which is read once. `variables.ts` describes each value. URLs have no trailing
 * slash.
 */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * @param defaults of the embedded engines
 * @throws Error with one line for each missing or invalid variable, or for each wrong feature of a GeoJSON file
 */
export function readConfig(env: Environment, defaults: Environment = {}) {
  const set = Object.entries(env).filter(([, value]) => value);
  const {
    PORT: port,
    KEY_PEPPER: pepper,
    KEY_PEPPER_OLD: oldPepper,
    ...read
  } = readVariables({ ...defaults, ...Object.fromEntries(set) });
  const siteUrl = siteUrlOf({ SITE_URL: read.SITE_URL, PORT: port });
  if (read.SITE === 'only' && read.BASE_URL === undefined)
    throw new Error('BASE_URL is not set. With SITE=only, set it to the root URL of the API that clients call.');
  const maxConnections = read.MAX_CONNECTIONS ?? descriptorShare();
  return {
    ...operatorOf(read),
    host: read.HOST,
    port,
    siteUrl,
    hasSite: read.SITE !== 'off',
    // Otherwise only the pages of this process call its API.
    hasApi: read.SITE !== 'only',
    // Includes the version segment.
    baseUrl: withoutSlash(read.BASE_URL ?? `${siteUrl}/v1`),
    cdnUrl: withoutSlash(read.CDN_URL ?? `${siteUrl}/cdn`),
    opensearch: { urls: readList(read.OPENSEARCH_URL), indexPrefix: read.INDEX_PREFIX, copies: read.INDEX_COPIES },
    ...databaseUrls(read),
    s3: s3Of(read),
    // Without `dir`, only the sample feeds are read; without `sources`, all that have a feed or had one before.
    feeds: {
      dir: read.FEEDS_DIR ?? null,
      hostUrl: read.FEEDS_HOST_URL ?? null,
      sources: read.FEEDS_SOURCES === undefined ? null : readList(read.FEEDS_SOURCES),
    },
    officialDir: read.OFFICIAL_DIR ?? (read.FEEDS_DIR === undefined ? null : join(read.FEEDS_DIR, 'official')),
    ...geographyOf(read),
    historyStart: read.HISTORY_START,
    keyPepper: pepper,
    // Previous pepper, which is accepted during a rotation; null for none.
    oldKeyPepper: oldPepper ?? null,
    dealIdsPepper: read.DEAL_IDS_PEPPER ?? pepper,
    // The first secret signs, all of them verify.
    cursorSecrets: readSecrets(read.CURSOR_SECRETS, 'cursor', pepper, oldPepper),
    // The first key encrypts, but all keys decrypt.
    encryptionKeys: encryptionKeys(read.ENCRYPTION_KEYS, pepper, oldPepper),
    webhookPrivateHosts: readList(read.WEBHOOK_PRIVATE_HOSTS),
    // Shown to receivers. Empty if they can change.
    webhookSourceAddresses: readList(read.WEBHOOK_SOURCE_ADDRESSES),
    // Null disables email.
    mail: read.SMTP_URL === undefined ? null : { smtpUrl: read.SMTP_URL, from: read.MAIL_FROM as string },
    // Whether a page of this machine shows the mail that no server sends.
    hasInbox: read.SMTP_URL === undefined && isLoopback(read.HOST) && isLoopback(new URL(siteUrl).hostname),
    trustedProxies: readList(read.TRUSTED_PROXIES),
    // Both limits count only connections that have sent a request.
    connections: {
      total: maxConnections,
      perAddress: read.MAX_CONNECTIONS_PER_ADDRESS ?? Math.min(MAX_DEFAULT_PER_ADDRESS, Math.ceil(maxConnections / 2)),
    },
    // Limits on requests that cost no units, per process and minute, except listings; a burst may use up the whole limit.
    limits: {
      unchargedCalls: read.UNCHARGED_CALLS_PER_MINUTE,
      freeBytes: read.FREE_BYTES_PER_MINUTE,
      unknownKeys: read.UNKNOWN_KEYS_PER_MINUTE,
      pageViews: read.PAGE_VIEWS_PER_MINUTE,
      explorerCalls: read.EXPLORER_CALLS_PER_MINUTE,
      // Per session of the site and UTC day.
      siteListings: read.SITE_LISTINGS_PER_DAY,
    },
    timeoutFactor: read.TIMEOUT_FACTOR,
    listingCacheBytes: read.LISTING_CACHE_BYTES ?? memoryShare(),
    // Riyals per month, by the name of the plan.
    planPrices: readNumbers(read.PLAN_PRICES),
    // Riyals for 1,000 units beyond the quota, by the name of the plan.
    overagePrices: readNumbers(read.OVERAGE_PRICES),
    incidentsFile: read.INCIDENTS_FILE ?? null,
    hasQueryLog: read.QUERY_LOG === 'on',
    logLevel: read.LOG_LEVEL,
    // Null disables the endpoint.
    metricsPort: read.METRICS_PORT ?? null,
  };
}

type Variables = ReturnType<typeof readVariables>;

type OperatorVariables = Pick<Variables, 'SERVICE_NAME' | 'CONTACT' | 'TERMS_URL' | 'PRIVACY_URL' | 'SELF_SERVICE'>;

const operatorOf = (read: OperatorVariables) => ({
  serviceName: read.SERVICE_NAME,
  // The result is a `mailto:` or http(s) URL.
  contactUrl: read.CONTACT?.replace(/^(?!https?:)/, 'mailto:') ?? null,
  termsUrl: read.TERMS_URL ?? null,
  privacyUrl: read.PRIVACY_URL ?? null,
  hasSelfService: read.SELF_SERVICE === 'on',
});

/** Also for tools that need no other part of the configuration. */
export const siteUrlOf = ({ SITE_URL, PORT }: Pick<Variables, 'SITE_URL' | 'PORT'>): string =>
  withoutSlash(SITE_URL ?? `http://127.0.0.1:${PORT}`);

/** For tools that need no other variable. Requests use the pooler, everything else the direct URL. */
export function databaseUrls(read: Pick<Variables, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>) {
  const [url, direct] = [verifiedTls(read.DATABASE_URL), read.DATABASE_DIRECT_URL];
  return direct === undefined
    ? { databaseUrl: url, poolerUrl: null }
    : { databaseUrl: verifiedTls(direct), poolerUrl: url };
}

/** The driver verifies certificates in these modes too, and prints a warning that a later version will not. */
const verifiedTls = (url: string): string =>
  url.includes('uselibpqcompat=true')
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
type S3Variables = Pick<Variables, Extract<keyof Variables, `S3_${string}` | `AWS_${string}` | `${string}_BUCKET`>>;

const s3Of = (read: S3Variables) => ({
  endpoint: read.S3_ENDPOINT,
  region: read.AWS_REGION,
  accessKeyId: read.AWS_ACCESS_KEY_ID,
  secretAccessKey: read.AWS_SECRET_ACCESS_KEY,
  publicEndpoint: read.S3_PUBLIC_ENDPOINT ?? read.S3_ENDPOINT,
  cdnBucket: read.CDN_BUCKET,
  exportsBucket: read.EXPORTS_BUCKET,
});

/** Files of the operator. */
const geographyOf = (
  read: Pick<ReturnType<typeof readVariables>, 'BOUNDARIES_FILE' | 'PLACES_FILE' | 'MAP_TILES_FILE'>,
) => ({
  boundaries: read.BOUNDARIES_FILE === undefined ? NO_BOUNDARIES : loadBoundaries(read.BOUNDARIES_FILE),
  pointsOfInterest: read.PLACES_FILE === undefined ? [] : loadPlaces(read.PLACES_FILE),
  mapTilesFile: read.MAP_TILES_FILE === undefined ? null : checkedTiles(read.MAP_TILES_FILE),
});

const MAX_BOUNDARIES_BYTES = 32_000_000;
const MAX_PLACES_BYTES = 2_000_000;

const loadBoundaries = (file: string): Boundaries =>
  readGeoJson('BOUNDARIES_FILE', file, MAX_BOUNDARIES_BYTES, 'Simplify the polygons.', readBoundaries);

const loadPlaces = (file: string): PointOfInterest[] =>
  readGeoJson('PLACES_FILE', file, MAX_PLACES_BYTES, 'Keep fewer places.', readPointsOfInterest);

function readGeoJson<Content>(
  variable: string,
  file: string,
  max: number,
  remedy: string,
  read: (text: string) => Content,
): Content {
  try {
    const { size } = statSync(file);
    if (size > max) throw new Error(`It has ${size} bytes, and at most ${max} are accepted. ${remedy}`);
    return read(withoutMark(readFileSync(file, 'utf8')));
  } catch (error) {
    const lines = messageOf(error).split('\n');
    throw new Error(lines.map((line) => `${variable} ${file}: ${line}`).join('\n'));
  }
}

/** Reads the header only: the file may have gigabytes. @returns the path */
function checkedTiles(path: string): string {
  const header = Buffer.alloc(TILES_HEADER_BYTES);
  let fault: string | null;
  try {
    const file = openSync(path, 'r');
    try {
      fault = tilesFault(header.subarray(0, readSync(file, header)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    fault = messageOf(error);
  }
  if (fault !== null) throw new Error(`MAP_TILES_FILE ${path}: ${fault}`);
  return path;
}

/** Whether other machines cannot reach the host. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|localhost|\[?::1\]?)$/.test(host);

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

function readList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads `name=number,name=number`. */
const readNumbers = (text?: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readList(text)
      .map((part) => part.split('='))
      .map(([name, value]) => [name, Number(value)]),
  );

/** For tools that need no other variable. @throws Error if the variable is invalid */
export const readNodes = (env: Environment): string[] =>
  readList(readVariables(env, ['OPENSEARCH_URL']).OPENSEARCH_URL);

/** A sixteenth of the memory of the machine or container, at most 1 GiB. */
function memoryShare(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(Math.floor(memory / 16), 2 ** 30);
}

/** Descriptors reserved for datastores, files and workers. */
const RESERVED_DESCRIPTORS = 512;
/** Share of descriptors for connections that have sent a request (`src/http/limits/connections.ts`). */
const SHARE_OF_USED_CONNECTIONS = 0.85;
const MAX_DEFAULT_CONNECTIONS = 10_000;
const MAX_DEFAULT_PER_ADDRESS = 1_000;

/** Derived from at least half of the file descriptors. */
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
 * Parses `id:secret,id:secret`, newest first. A secret derived from each pepper follows, so that what they protect
 * stays valid when the variable is set later. These share an id.
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

/** Also for tools that need no other part of the configuration. */
export const encryptionKeys = (text: string | undefined, pepper: string, oldPepper?: string): Secret[] =>
  readSecrets(text, 'encryption', pepper, oldPepper);
