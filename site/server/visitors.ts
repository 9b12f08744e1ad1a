import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Config } from '#src/config.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { isSigned, SIGNATURE_BYTES, signatureOf } from '#src/http/signing-secret.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { SiteData } from '#src/site-data/site-data.ts';
import type { Api, SiteApi } from './api-client.ts';

/** Addresses are shared by offices and mobile networks. */
export const SESSIONS_PER_ADDRESS = 10;
const COOKIE = 'site_session';
const SESSION_S = 7 * 86_400;
const DAY_MS = 86_400_000;
/** Id, time of issue in seconds, id of the secret, and signature. */
const SESSION = /^([\w-]{22})\.(\d{10,11})\.([a-z0-9]{1,8})\.([\w-]{22})$/;

export type Visitors = ReturnType<typeof createVisitors>;

interface VisitorOptions {
  config: Pick<Config, 'siteUrl' | 'cursorSecrets' | 'limits'>;
  api: SiteApi;
  data: Pick<SiteData, 'takeListings'>;
  clock: { now(): number };
}

/** Visitors without a key: their sessions, which pages issue, and the listings that they have seen today. */
export function createVisitors({ config, api, data, clock }: VisitorOptions) {
  const { cursorSecrets: secrets, siteUrl } = config;
  const limit = config.limits.siteListings;
  const payloadOf = (id: string, issuedAt: string): Buffer => Buffer.from(`session ${id} ${issuedAt}`);

  /** Returns the session's id; null without a valid one. */
  function sessionOf(context: Context): string | null {
    const [, id = '', issuedAt = '', secretId = '', signature = ''] =
      SESSION.exec(context.cookies.get(COOKIE) ?? '') ?? [];
    const ageS = clock.now() / 1_000 - Number(issuedAt);
    const bytes = Buffer.from(signature, 'base64url');
    if (bytes.length !== SIGNATURE_BYTES || ageS > SESSION_S) return null;
    return isSigned(payloadOf(id, issuedAt), bytes, secretId, secrets) ? id : null;
  }

  return {
    sessionOf,

    /** Issues or renews the session. The response must not be stored by shared caches. */
    issue(context: Context): void {
      const [signer] = secrets;
      if (!signer) throw new Error('no cursor secret is configured');
      const id = sessionOf(context) ?? randomBytes(16).toString('base64url');
      const issuedAt = String(Math.floor(clock.now() / 1_000));
      const signature = signatureOf(payloadOf(id, issuedAt), signer.secret).toString('base64url');
      const attributes = `Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Lax${siteUrl.startsWith('https:') ? '; Secure' : ''}`;
      context.append('Set-Cookie', `${COOKIE}=${id}.${issuedAt}.${signer.id}.${signature}; ${attributes}`);
    },

    /**
     * Counts the listings in the responses that `work` reads, for the address and the session of the visitor.
     * @throws ApiError rate_limited if the visitor has seen as many as allowed today
     */
    async count(context: Context, work: (api: Api) => Promise<unknown>): Promise<void> {
      const { ip = null } = context.state as { ip?: string | null };
      const { api: counted, listings } = api.counted();
      await work(counted);
      const session = sessionOf(context);
      const refused = await data.takeListings(
        { kind: 'address', id: networkOf(ip), limit: SESSIONS_PER_ADDRESS * limit },
        session === null ? null : { kind: 'session', id: session, limit },
        listings,
      );
      if (refused === null) return;
      const [shown, of] = [refused.limit.toLocaleString('en'), refused.kind === 'session' ? 'browser' : 'address'];
      throw new ApiError('rate_limited', {
        message: `Your ${of} has received ${shown} different listings today, or would with this response, and visitors without a key receive at most that many per UTC day. Continue tomorrow, or with an API key: ${siteUrl}/pricing#key.`,
        details: { limit: refused.limit, per: 'day' },
        retryAfterS: Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1_000),
        headers: { 'Cache-Control': 'no-store' },
      });
    },
  };
}
