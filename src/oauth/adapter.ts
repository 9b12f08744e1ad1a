import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

/** Stored instead of ids, which are the tokens themselves. They have enough entropy for a digest without a key. */
export const digestOf = (id: string): Buffer => hash('sha256', id, 'buffer');

/**
 * Seconds after its first use in which a token is not reported as used. A client that lost the response repeats the
 * refresh, and parallel requests with one code yield one token. A later use ends the grant.
 */
const REUSE_S: Readonly<Record<string, number>> = { RefreshToken: 30, AuthorizationCode: 1 };
/** A registration without a consent expires. */
const REGISTRATION_S = 86_400;
const TOKENS = ['AccessToken', 'RefreshToken'];

const FOUND = { payload: sql.json<AdapterPayload>(), consumed: sql.nullable(sql.number) };

interface AdapterOptions {
  db: Queryable;
  /** Address to which the consent returns, by the id of the interaction. */
  resumeUrl: (id: string) => string;
  /** Error of the package for a code or token that was used. */
  usedError: () => Error;
  /** Revokes the connection. */
  endGrant: (grantHash: Buffer) => Promise<void>;
}

/**
 * Stores the models of the package in Postgres, by the clock of Postgres. Its sessions are not stored: each
 * authorization asks the person, whom sessions of the site identify.
 */
export const createAdapter =
  ({ db, resumeUrl, usedError, endGrant }: AdapterOptions) =>
  (model: string): Adapter => ({
    async upsert(id, payload, expiresIn = REGISTRATION_S) {
      if (model === 'Session') return;
      const { jti: _, returnTo: __, ...stored } = payload;
      const grant = payload.grantId === undefined ? null : digestOf(payload.grantId);
      await db.query(
        `insert into oauth_records (model, id_hash, payload, grant_hash, expires_at)
         values ($1, $2, $3, $4, now() + make_interval(secs => $5))
         on conflict (model, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [model, digestOf(id), JSON.stringify(stored), grant, expiresIn],
      );
      // The key of a connection is valid as long as its newest token.
      if (TOKENS.includes(model) && grant)
        await db.query(
          `update api_keys k set expires_at = greatest(k.expires_at, now() + make_interval(secs => $2))
             from connections c where c.grant_hash = $1 and k.id = c.key_id`,
          [grant, expiresIn],
        );
    },

    async find(id) {
      const found = await sql.queryRow(
        db,
        FOUND,
        `select r.payload, extract(epoch from r.consumed_at)::float8 as consumed from (
           select payload, id_hash, case when consumed_at < now() - make_interval(secs => $3) then consumed_at end as consumed_at
             from oauth_records where model = $1 and id_hash = $2 and ($1 <> 'Client' or expires_at > now())) r
          where $1 <> 'Grant' or not exists (
            select from connections c join api_keys k on k.id = c.key_id where c.grant_hash = r.id_hash and k.revoked_at is not null)`,
        [model, digestOf(id), REUSE_S[model] ?? 0],
      );
      if (!found) return undefined;
      const { payload, consumed } = found;
      if (model === 'Client') return payload;
      const returnTo = model === 'Interaction' ? { returnTo: resumeUrl(id) } : {};
      return { ...payload, ...returnTo, jti: id, ...(consumed !== null && { consumed }) };
    },

    // One statement decides which of several requests uses the code. A refresh token can be used again in its interval.
    async consume(id) {
      const { rowCount } = await db.query(
        `update oauth_records set consumed_at = coalesce(consumed_at, now())
          where model = $1 and id_hash = $2 and (consumed_at is null or $1 = 'RefreshToken')`,
        [model, digestOf(id)],
      );
      if (rowCount !== 1) throw usedError();
    },

    async destroy(id) {
      await db.query('delete from oauth_records where model = $1 and id_hash = $2', [model, digestOf(id)]);
      if (model === 'Grant') await endGrant(digestOf(id));
    },

    async revokeByGrantId(grantId) {
      await db.query('delete from oauth_records where model = $1 and grant_hash = $2', [model, digestOf(grantId)]);
    },

    // For sessions and device codes, which are not used.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  });
