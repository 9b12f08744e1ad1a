import type { Knex } from 'knex';

/** Organizations, plans, projects, keys, and the counters that `charge` updates. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table plans (
      name text primary key,
      rank smallint not null unique,
      -- null: unlimited
      units_per_minute integer,
      units_per_month bigint,
      page_size integer not null,
      paging_depth integer not null,
      active_keys integer not null,
      projects integer not null,
      scopes text[] not null,
      -- whether an owner may set a spend cap, and what 1,000 units beyond the quota cost
      overage boolean not null,
      overage_sar_per_1000 numeric(10, 4) not null default 0,
      -- how far back price history is shown; null: all of it
      price_history_days integer,
      -- the Free plan does not name where an ad was found
      source_links boolean not null
    );

    insert into plans
      (name, rank, units_per_minute, units_per_month, page_size, paging_depth, active_keys, projects, scopes, overage, overage_sar_per_1000, price_history_days, source_links)
    values
      ('free', 0, 30, 250, 25, 500, 5, 1, '{reference,listings,official,exports}', false, 0, 90, false),
      ('starter', 1, 60, 50000, 50, 5000, 25, 5, '{reference,listings,official,exports,market}', true, 6, null, true),
      ('growth', 2, 150, 200000, 100, 5000, 25, 10, '{reference,listings,official,exports,market,analytics}', true, 5, null, true),
      ('pro', 3, 300, 750000, 100, 20000, 25, 25, '{reference,listings,official,exports,market,analytics,projects}', true, 4, null, true),
      ('enterprise', 4, null, null, 100, 100000, 100, 100, '{reference,listings,official,exports,market,analytics,projects}', false, 0, null, true);

    create table organizations (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      name text not null unique,
      plan text not null references plans,
      -- Enterprise limits, set one by one; null: the plan's
      units_per_minute integer,
      units_per_month bigint,
      page_size integer,
      paging_depth integer,
      active_keys integer,
      projects integer,
      spend_cap_sar numeric(12, 2) not null default 0,
      suspended_at timestamptz,
      term_ends_at timestamptz,
      ip_allowlist cidr[] not null default '{}',
      log_retention_days smallint not null default 30 check (log_retention_days in (7, 30, 90)),
      log_request_details boolean not null default true,
      created_at timestamptz not null default now()
    );

    create table projects (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      name text not null,
      monthly_unit_cap bigint,
      created_at timestamptz not null default now(),
      unique (organization_id, name)
    );

    create table api_keys (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      project_id bigint references projects on delete cascade,
      kind text not null check (kind in ('live', 'admin', 'test')),
      name text not null,
      -- HMAC-SHA256 of the whole key under the pepper; the key itself is nowhere
      hash bytea not null unique,
      -- the last four characters, so that a person can tell keys apart
      last_four text not null,
      -- null: all that the plan has
      scopes text[],
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      rotated_to bigint references api_keys,
      -- seen in a URL: must be rotated
      exposed_at timestamptz
    );
    create index api_keys_organization on api_keys (organization_id);

    -- Units used in a UTC calendar month (yyyymm), by organization, project, test key, and all test keys of an organization. Updated in place by every
    -- charge: room on the page keeps those updates off the indexes.
    create table unit_counters (
      subject text not null,
      subject_id bigint not null,
      month integer not null,
      units bigint not null,
      primary key (subject, subject_id, month)
    ) with (fillfactor = 50);

    -- The last 60 seconds, a bucket a second. Unlogged: a crash forgets at most a minute of rate.
    create unlogged table rate_windows (
      subject text not null,
      subject_id bigint not null,
      second bigint not null,
      total integer not null,
      buckets integer[] not null,
      primary key (subject, subject_id)
    ) with (fillfactor = 50);
  `);
  await db.raw(REFUND);
}

/** Refunds units that `charge` (migration 0005) reserved. */
const REFUND = `
  -- Gives a reservation back to the month it was taken from. The rate keeps it: failing calls are calls too.
  create function refund(p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer)
  returns void language plpgsql as $refund$
  begin
    -- Rows in the order that charge locks them in, so that the two never wait for each other in a ring.
    update unit_counters set units = greatest(0, units - p_units)
     where subject = case p_kind when 'test' then 'key' else 'organization' end
       and subject_id = case p_kind when 'test' then p_key else p_organization end and month = p_month;
    update unit_counters set units = greatest(0, units - p_units)
     where subject = case p_kind when 'test' then 'tests' else 'project' end
       and subject_id = case p_kind when 'test' then p_organization else p_project end and month = p_month;
  end
  $refund$;
`;
