import type { Knex } from 'knex';

const PEOPLE = `
  create table people (
    id bigint generated always as identity primary key,
    public_id text not null unique,
    -- In lower case.
    email text not null unique,
    language text not null default 'en',
    created_at timestamptz not null default now(),
    last_sign_in_at timestamptz
  );
  comment on table people is 'People who have signed in. Their memberships of organizations are in members.';

  alter table members
    add column person_id bigint references people on delete set null,
    add column invited_at timestamptz,
    add column joined_at timestamptz;
  create index members_person on members (person_id) where person_id is not null;
  create index members_address on members (lower(email));
  comment on column members.joined_at is 'When the person first signed in as this member. Null: not yet.';

  create table sign_in_links (
    -- SHA-256 of the token.
    token_hash bytea primary key,
    email text not null,
    purpose text not null check (purpose in ('sign_in', 'sign_up')),
    -- What a sign-up states: name and kind of the account.
    details jsonb not null default '{}',
    language text not null,
    -- Path of the site to which the sign-in leads.
    return_to text not null,
    -- SHA-256 of the cookie of the browser that requested the link. Null for links of the command line, which any browser can use.
    browser_hash bytea,
    -- HMAC of the code that this browser shows.
    code_hash bytea,
    attempts smallint not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create index sign_in_links_age on sign_in_links (expires_at);
  comment on table sign_in_links is 'Links that sign a person in once.';

  create table sessions (
    id bigint generated always as identity primary key,
    public_id text not null unique,
    -- SHA-256 of the cookie.
    id_hash bytea not null unique,
    person_id bigint not null references people on delete cascade,
    -- The chosen organization. A removed member is signed out.
    member_id bigint references members on delete cascade,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    signed_in_at timestamptz not null,
    expires_at timestamptz not null,
    user_agent text not null,
    ip inet
  );
  create index sessions_person on sessions (person_id);
  create index sessions_member on sessions (member_id) where member_id is not null;
  comment on table sessions is 'Browsers in which a person is signed in.';`;

const KEYS = `
  alter table organizations
    drop constraint organizations_name_key,
    -- 'domain' or 'address' with its value, of accounts that people opened themselves.
    add column account_of text unique,
    -- Its test keys belong to nobody yet. Their units have a limit per day instead of per month.
    add column holds_trials boolean not null default false;
  create index organizations_name on organizations (name);
  comment on column organizations.account_of is
    'The company domain or the mail address that opened the account: each has one.';

  alter table api_keys
    drop constraint api_keys_kind_check,
    add constraint api_keys_kind_check check (kind in ('live', 'admin', 'test', 'connector', 'console'));
  drop index api_keys_name;
  create unique index api_keys_name on api_keys (organization_id, name)
    where revoked_at is null and kind not in ('connector', 'console');
  create unique index api_keys_console on api_keys (member_id) where kind = 'console' and revoked_at is null;
  create index api_keys_member on api_keys (member_id) where member_id is not null;
  comment on column api_keys.hash is
    'HMAC-SHA256 of the whole key under the pepper. Random for the kinds connector and console, which have no secret.';

  create table trial_keys (
    key_id bigint primary key references api_keys on delete cascade,
    -- SHA-256 of the token with which a person claims the key.
    claim_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    claimed_by bigint references people on delete set null,
    claimed_at timestamptz
  );
  create index trial_keys_unclaimed on trial_keys (expires_at) where claimed_at is null;
  comment on table trial_keys is 'Test keys that programs created for themselves, until a person claims them.';

  alter table mails add column expires_at timestamptz;
  comment on column mails.expires_at is
    'When the mail becomes worthless, for example because its link expires. Such mails are sent before others.';`;

/**
 * Wider than before, so that earlier releases run on it. They fail to list keys of the new kinds, and their `npm start`
 * cannot create demo organizations, which needed unique names.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(PEOPLE);
  await db.raw(KEYS);
}
