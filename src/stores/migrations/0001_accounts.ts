import type { Knex } from 'knex';

/** Organizations, plans, projects, keys, and the counters that `charge` keeps. */
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
  await db.raw(CHARGE);
}

/**
 * One round trip decides everything about a call: who it is, whether it may, and what it costs. The charge is a
 * reservation; `refund` gives it back when the call fails. See src/metering/charge.ts for the result.
 */
const CHARGE = `
  create type charge_result as (
    outcome text,
    organization_id bigint, organization text, key_id bigint, key text, kind text, project_id bigint,
    plan text, scopes text[], page_size integer, paging_depth integer, price_history_days integer, source_links boolean,
    units integer, month integer,
    rate_limit integer, rate_remaining integer, rate_reset integer,
    quota_limit bigint, quota_remaining bigint, quota_reset integer,
    retry_after integer
  );

  create function charge(
    p_hash bytea, p_audience text, p_scope text, p_units integer, p_valid boolean,
    p_limit integer, p_offset integer, p_ip inet, p_now timestamptz
  ) returns charge_result language plpgsql as $charge$
  declare
    r charge_result;
    k record;
    t timestamptz := coalesce(p_now, clock_timestamp());
    s bigint;
    utc timestamp := t at time zone 'UTC';
    month_end timestamp := date_trunc('month', utc) + interval '1 month';
    v_subject text;
    v_subject_id bigint;
    w record;
    v_used bigint := 0;
    v_ceiling bigint;
    v_buckets integer[];
    v_total integer := 0;
    v_second bigint;
    v_freed integer := 0;
    v_group text;
    v_group_id bigint;
    v_group_cap bigint;
    v_grouped bigint;
    i bigint;
  begin
    s := floor(extract(epoch from t));
    r.units := 0;
    r.month := extract(year from utc)::integer * 100 + extract(month from utc)::integer;

    select a.id, a.public_id, a.kind, a.scopes, a.expires_at, a.revoked_at, a.project_id,
           o.id as organization_id, o.public_id as organization, o.suspended_at, o.term_ends_at, o.ip_allowlist,
           o.spend_cap_sar, p.name as plan, p.scopes as plan_scopes, p.overage, p.overage_sar_per_1000,
           p.price_history_days, p.source_links, j.monthly_unit_cap,
           coalesce(o.units_per_minute, p.units_per_minute) as units_per_minute,
           coalesce(o.units_per_month, p.units_per_month) as units_per_month,
           coalesce(o.page_size, p.page_size) as page_size,
           coalesce(o.paging_depth, p.paging_depth) as paging_depth
      into k
      from api_keys a
      join organizations o on o.id = a.organization_id
      join plans p on p.name = o.plan
      left join projects j on j.id = a.project_id
     where a.hash = p_hash;
    if not found then r.outcome := 'invalid_api_key'; return r; end if;

    r.organization_id := k.organization_id; r.organization := k.organization;
    r.key_id := k.id; r.key := k.public_id; r.kind := k.kind; r.project_id := k.project_id;
    r.plan := k.plan; r.price_history_days := k.price_history_days; r.source_links := k.source_links;

    if k.revoked_at <= t then r.outcome := 'revoked_api_key'; return r; end if;
    if k.expires_at <= t then r.outcome := 'expired_api_key'; return r; end if;
    if p_audience = 'admin' and k.kind <> 'admin' then r.outcome := 'admin_key_required'; return r; end if;
    if p_audience = 'data' and k.kind = 'admin' then r.outcome := 'admin_key_not_allowed'; return r; end if;
    if k.suspended_at <= t then r.outcome := 'client_suspended'; return r; end if;
    if k.term_ends_at <= t then r.outcome := 'client_expired'; return r; end if;
    if cardinality(k.ip_allowlist) > 0 and (p_ip is null or not p_ip <<= any (k.ip_allowlist)) then
      r.outcome := 'ip_not_allowed'; return r;
    end if;
    if p_scope is not null and not p_scope = any (k.plan_scopes) then r.outcome := 'scope_not_in_plan'; return r; end if;
    if p_scope is not null and k.scopes is not null and not p_scope = any (k.scopes) then
      r.outcome := 'scope_not_in_key'; return r;
    end if;

    if k.kind = 'test' then
      v_subject := 'key'; v_subject_id := k.id;
      -- All test keys of an organization together stay within its quota, also those revoked since.
      v_group := 'tests'; v_group_id := k.organization_id; v_group_cap := k.units_per_month;
      k.units_per_minute := least(k.units_per_minute, 30);
      k.units_per_month := least(k.units_per_month, 1000);
      k.page_size := least(k.page_size, 25);
      k.paging_depth := least(k.paging_depth, 250);
      k.overage := false;
    else
      v_subject := 'organization'; v_subject_id := k.organization_id;
      v_group := 'project'; v_group_id := k.project_id; v_group_cap := k.monthly_unit_cap;
    end if;
    r.scopes := case when k.scopes is null then k.plan_scopes
                     else array(select unnest(k.plan_scopes) intersect select unnest(k.scopes)) end;
    r.page_size := k.page_size; r.paging_depth := k.paging_depth;
    r.rate_limit := k.units_per_minute; r.quota_limit := k.units_per_month;

    if k.kind = 'admin' then
      if not p_valid then r.outcome := 'invalid_request'; end if;
      return r;
    end if;
    if p_limit > k.page_size then r.outcome := 'page_size_exceeded'; p_valid := false; end if;
    if p_valid and p_offset >= k.paging_depth then r.outcome := 'result_window_exceeded'; return r; end if;
    if not p_valid then r.outcome := coalesce(r.outcome, 'invalid_request'); return r; end if;

    -- Rate: a window of 60 one-second buckets that slides with the clock.
    if k.units_per_minute is not null then
      if p_units > 0 then
        select second, total, buckets into w from rate_windows
         where subject = v_subject and subject_id = v_subject_id for update;
        if not found then
          insert into rate_windows values (v_subject, v_subject_id, s, 0, array_fill(0, array[60])) on conflict do nothing;
          select second, total, buckets into w from rate_windows
           where subject = v_subject and subject_id = v_subject_id for update;
        end if;
      else
        select second, total, buckets into w from rate_windows where subject = v_subject and subject_id = v_subject_id;
      end if;
      if w.second is null or s - w.second >= 60 then
        v_buckets := array_fill(0, array[60]);
      else
        v_buckets := w.buckets; v_total := w.total;
        -- nodes whose clocks differ a little share the latest second seen
        s := greatest(s, w.second);
        for i in w.second + 1 .. s loop
          v_total := v_total - v_buckets[i % 60 + 1];
          v_buckets[i % 60 + 1] := 0;
        end loop;
      end if;
      if p_units > 0 and v_total + p_units > k.units_per_minute then
        r.outcome := 'rate_limited';
        r.retry_after := 60;
        for i in s - 59 .. s loop
          v_freed := v_freed + v_buckets[i % 60 + 1];
          if v_total - v_freed + p_units <= k.units_per_minute then r.retry_after := greatest(1, i + 60 - s); exit; end if;
        end loop;
        return r;
      end if;
      v_second := s;
      v_total := v_total + p_units;
      v_buckets[s % 60 + 1] := v_buckets[s % 60 + 1] + p_units;
      r.rate_remaining := greatest(0, k.units_per_minute - v_total);
      r.rate_reset := 0;
      if v_total > 0 then
        for i in s - 59 .. s loop
          if v_buckets[i % 60 + 1] > 0 then r.rate_reset := i + 60 - s; exit; end if;
        end loop;
      end if;
    end if;

    -- Month: the row lock of the update makes the check and the count one step.
    if p_units > 0 then
      insert into unit_counters as c values (v_subject, v_subject_id, r.month, p_units)
        on conflict (subject, subject_id, month) do update set units = c.units + excluded.units
        returning units into v_used;
    else
      select units into v_used from unit_counters
       where subject = v_subject and subject_id = v_subject_id and month = r.month;
      v_used := coalesce(v_used, 0);
    end if;
    if k.units_per_month is not null then
      r.quota_remaining := greatest(0, k.units_per_month - v_used);
      r.quota_reset := ceil(extract(epoch from month_end - utc));
      if p_units > 0 and v_used > k.units_per_month then
        v_ceiling := k.units_per_month;
        if k.overage and k.spend_cap_sar > 0 and k.overage_sar_per_1000 > 0 then
          v_ceiling := v_ceiling + floor(k.spend_cap_sar * 1000 / k.overage_sar_per_1000);
        end if;
        if v_used > v_ceiling then
          update unit_counters set units = units - p_units
           where subject = v_subject and subject_id = v_subject_id and month = r.month;
          r.outcome := case when v_ceiling > k.units_per_month then 'spend_cap_reached' else 'monthly_quota_exceeded' end;
          r.retry_after := r.quota_reset;
          return r;
        end if;
        -- Units beyond the quota are money: this commit waits for the disk.
        set local synchronous_commit = on;
      end if;
    end if;

    if p_units > 0 and v_group_id is not null then
      insert into unit_counters as c values (v_group, v_group_id, r.month, p_units)
        on conflict (subject, subject_id, month) do update set units = c.units + excluded.units
        returning units into v_grouped;
      if v_group_cap is not null and v_grouped > v_group_cap then
        update unit_counters set units = units - p_units
         where (subject, subject_id, month) in ((v_group, v_group_id, r.month), (v_subject, v_subject_id, r.month));
        r.outcome := case v_group when 'project' then 'project_cap_exceeded' else 'monthly_quota_exceeded' end;
        r.retry_after := ceil(extract(epoch from month_end - utc));
        return r;
      end if;
    elsif v_group = 'tests' then
      select units into v_grouped from unit_counters
       where subject = v_group and subject_id = v_group_id and month = r.month;
    end if;
    if v_group = 'tests' and v_group_cap is not null then
      r.quota_remaining := least(r.quota_remaining, greatest(0, v_group_cap - coalesce(v_grouped, 0)));
    end if;

    if p_units > 0 and v_second is not null then
      update rate_windows set second = v_second, total = v_total, buckets = v_buckets
       where subject = v_subject and subject_id = v_subject_id;
    end if;
    r.units := p_units;
    return r;
  end
  $charge$;

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

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function refund; drop function charge; drop type charge_result;
    drop table rate_windows, unit_counters, api_keys, projects, organizations, plans;
  `);
}
