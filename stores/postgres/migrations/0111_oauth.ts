import type { Knex } from 'knex';

/** Sign-in of assistants. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table oauth_records (
      -- Of the package: AccessToken, RefreshToken, AuthorizationCode, Grant, Interaction or Client.
      model text not null,
      -- SHA-256 of the id, which is the token itself for tokens and codes. The payload does not contain it.
      id_hash bytea not null,
      -- As text, because jsonb refuses the character NUL, which requests can contain.
      payload json not null,
      -- SHA-256 of the id of the grant to which tokens and codes belong.
      grant_hash bytea,
      consumed_at timestamptz,
      expires_at timestamptz not null,
      primary key (model, id_hash)
    );
    create index oauth_records_grant on oauth_records (grant_hash) where grant_hash is not null;
    create index oauth_records_age on oauth_records (expires_at);
    comment on table oauth_records is 'State of the OAuth authorization server.';

    create table connections (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      -- Key of the kind connector, which has the member, the project, the scopes and the revocation.
      key_id bigint not null unique references api_keys on delete cascade,
      grant_hash bytea not null unique,
      client_id text not null,
      -- As the client states it: only the hosts below prove who it is.
      client_name text not null,
      redirect_host text not null,
      is_verified boolean not null,
      created_at timestamptz not null default now()
    );
    comment on table connections is 'Assistants that members have connected.';`);
}
