-- Authenticates, authorizes and charges a call in one round trip. The result is described in src/metering/charge-statement.ts.
-- Few statements and a single JSON value, because additional PL/pgSQL statements and result columns take longer than the
-- reads. The rate row is read without a lock and written only if it is unchanged; otherwise the decision is repeated.
-- Counters are locked in one order, here and in `refund`, which prevents deadlocks: first the one that an organization's
-- calls share, then those of its parts (a project, a key, a rate).
create or replace function charge(
  p_hash bytea, p_audience text, p_scope text, p_units integer, p_valid boolean,
  p_limit integer, p_offset integer, p_ip inet, p_now timestamptz,
  -- Work done for a key counts against its month and not against its minute.
  p_background boolean default false,
  -- A call is not charged after this time of the clock of Postgres, because its caller no longer waits.
  p_deadline timestamptz default null
) returns json language plpgsql as $charge$
declare
  t timestamptz := coalesce(p_now, clock_timestamp());
  utc timestamp := t at time zone 'UTC';
  this_month integer := date_part('year', utc) * 100 + date_part('month', utc);
  -- Seconds until the next month.
  -- The units of trial keys are counted by day.
  today integer := this_month * 100 + date_part('day', utc);
  month_end integer := ceil(date_part('epoch', date_trunc('month', utc) + interval '1 month' - utc));
  k record;
  scopes text[]; counted integer := 0; refused text; retry_after integer;
  -- the month
  used_shared bigint; used_own bigint; used bigint; ceiling bigint; quota_left bigint;
  -- the units that all limits of the month still allow, and the limit that refuses first
  units_left bigint; limited_by text;
  -- the rate as read, as to be written, and as returned
  w_second bigint; w_total integer; w_buckets integer[]; w_oldest bigint;
  s bigint; v_total integer; v_buckets integer[]; v_oldest bigint;
  freed integer := 0; rate_remaining integer; rate_reset integer; i bigint;
begin
  select a.id as key_id, a.public_id as key, a.kind, a.project_id, a.scopes as key_scopes,
         o.id as organization_id, o.public_id as organization, o.spend_cap_sar, o.ip_allowlist,
         p.name as plan, p.scopes as plan_scopes, p.overage, p.overage_sar_per_1000, p.price_history_days, p.source_links,
         -- Test keys have lower limits, which never exceed those of the organization.
         g.page_size, g.paging_depth,
         case when not p_background then
           least(coalesce(o.units_per_minute, p.units_per_minute), case a.kind when 'test' then 30 end) end as rate,
         least(coalesce(o.units_per_month, p.units_per_month), case a.kind when 'test' then 1000 end) as quota,
         -- The owner of rate and quota.
         g.subject, g.subject_id,
         -- The two counters of its units, in the order in which they are locked. All test keys of an organization
         -- together, also those revoked or rotated since, have the units of three and stay within its quota; a project
         -- has a cap.
         case a.kind when 'test' then 'tests' else 'organization' end as shared,
         case a.kind when 'test' then 'key' else 'project' end as own,
         case a.kind when 'test' then a.id else a.project_id end as own_id,
         case a.kind when 'test' then case when o.holds_trials then 5000 else least(coalesce(o.units_per_month, p.units_per_month), 3000) end else j.monthly_unit_cap end as cap,
         case when o.holds_trials then today else this_month end as shared_month,
         w.second, w.total, w.buckets, w.oldest,
         case
           when a.revoked_at <= t then 'revoked_api_key'
           when a.expires_at <= t then 'expired_api_key'
           when p_audience = 'admin' and a.kind not in ('admin', 'console') then 'admin_key_required'
           when p_audience = 'data' and a.kind in ('admin', 'console') then 'admin_key_not_allowed'
           when o.suspended_at <= t then 'client_suspended'
           when o.term_ends_at <= t then 'client_expired'
           when not p_background and cardinality(o.ip_allowlist) > 0 and not coalesce(p_ip <<= any (o.ip_allowlist), false) then 'ip_not_allowed'
           when p_scope is not null and not p_scope = any (p.scopes) then 'scope_not_in_plan'
           when p_scope is not null and a.scopes is not null and not p_scope = any (a.scopes) then 'scope_not_in_key'
           when a.kind in ('admin', 'console') then case when not p_valid then 'invalid_request' end
           when p_limit > g.page_size then 'page_size_exceeded'
           when not p_valid then 'invalid_request'
           when p_offset >= g.paging_depth then 'result_window_exceeded'
         end as refused
    into k
    from api_keys a
    join organizations o on o.id = a.organization_id
    join plans p on p.name = o.plan
    left join projects j on j.id = a.project_id
    cross join lateral (select
      case a.kind when 'test' then 'key' else 'organization' end as subject,
      case a.kind when 'test' then a.id else a.organization_id end as subject_id,
      least(coalesce(o.page_size, p.page_size), case a.kind when 'test' then 25 end) as page_size,
      least(coalesce(o.paging_depth, p.paging_depth), case a.kind when 'test' then 250 end) as paging_depth) g
    left join rate_windows w on w.subject = g.subject and w.subject_id = g.subject_id
   where a.hash = p_hash;

  <<decide>>
  begin
    if not found then refused := 'invalid_api_key'; exit decide; end if;
    refused := k.refused;
    exit decide when refused is not null or k.kind in ('admin', 'console');

    w_second := k.second; w_total := k.total; w_buckets := k.buckets; w_oldest := k.oldest;
    loop
      -- Rate: a window of 60 one-second buckets that slides with the clock.
      if k.rate is not null then
        s := floor(date_part('epoch', t));
        if w_second is null or s - w_second >= 60 then
          v_buckets := array_fill(0, array[60]); v_total := 0; v_oldest := s;
        else
          v_buckets := w_buckets; v_total := w_total;
          -- nodes whose clocks differ a little share the latest second seen
          s := greatest(s, w_second);
          for i in w_second + 1 .. s loop
            v_total := v_total - v_buckets[i % 60 + 1]; v_buckets[i % 60 + 1] := 0;
          end loop;
          v_oldest := greatest(w_oldest, s - 59);
        end if;
        if p_units > 0 and v_total + p_units > k.rate then
          refused := 'rate_limited'; retry_after := 60;
          for i in v_oldest .. s loop
            freed := freed + v_buckets[i % 60 + 1];
            if v_total - freed + p_units <= k.rate then retry_after := greatest(1, i + 60 - s); exit; end if;
          end loop;
          exit decide;
        end if;
        v_total := v_total + p_units;
        v_buckets[s % 60 + 1] := v_buckets[s % 60 + 1] + p_units;
        rate_remaining := greatest(0, k.rate - v_total); rate_reset := 0;
        if v_total > 0 then
          while v_buckets[v_oldest % 60 + 1] = 0 and v_oldest < s loop v_oldest := v_oldest + 1; end loop;
          rate_reset := v_oldest + 60 - s;
        end if;
      end if;

      if used is null then
        -- Month: the row locks of the updates make the checks and the count one step.
        if p_units > 0 then
          counted := p_units;
          -- An upsert of a row that is there costs twice as much.
          update unit_counters set units = units + p_units
           where subject = k.shared and subject_id = k.organization_id and month = k.shared_month returning units into used_shared;
          if not found then
            insert into unit_counters as c values (k.shared, k.organization_id, k.shared_month, p_units)
              on conflict (subject, subject_id, month) do update set units = c.units + excluded.units returning units into used_shared;
          end if;
          if k.own_id is not null then
            update unit_counters set units = units + p_units
             where subject = k.own and subject_id = k.own_id and month = this_month returning units into used_own;
            if not found then
              insert into unit_counters as c values (k.own, k.own_id, this_month, p_units)
                on conflict (subject, subject_id, month) do update set units = c.units + excluded.units returning units into used_own;
            end if;
          end if;
        else
          used_shared := coalesce((select units from unit_counters where subject = k.shared and subject_id = k.organization_id and month = k.shared_month), 0);
          used_own := coalesce((select units from unit_counters where subject = k.own and subject_id = k.own_id and month = this_month), 0);
        end if;

        used := case k.kind when 'test' then used_own else used_shared end;
        if k.quota is not null then
          quota_left := k.quota - used;
          ceiling := k.quota;
          if k.overage and k.kind <> 'test' and k.spend_cap_sar > 0 and k.overage_sar_per_1000 > 0 then
            ceiling := ceiling + floor(k.spend_cap_sar * 1000 / k.overage_sar_per_1000);
          end if;
          units_left := ceiling - used;
          limited_by := case when ceiling > k.quota then 'spend_cap' else 'monthly_quota' end;
          if p_units > 0 and used > k.quota then
            if used > ceiling then
              refused := case when ceiling > k.quota then 'spend_cap_reached' else 'monthly_quota_exceeded' end;
              retry_after := month_end; exit decide;
            end if;
            -- Units beyond the quota are money: this commit waits for the disk.
            set local synchronous_commit = on;
          end if;
        end if;
        if k.kind = 'test' then
          if p_units > 0 and used_shared > k.cap then
            refused := 'monthly_quota_exceeded'; retry_after := month_end; exit decide;
          end if;
          quota_left := least(quota_left, k.cap - used_shared);
          units_left := least(units_left, k.cap - used_shared);
        elsif k.cap is not null then
          if p_units > 0 and used_own > k.cap then
            refused := 'project_cap_exceeded'; retry_after := month_end; exit decide;
          end if;
          quota_left := least(quota_left, k.cap - used_own);
          if units_left is null or k.cap - used_own < units_left then
            units_left := k.cap - used_own; limited_by := 'project_cap';
          end if;
        end if;
      end if;

      exit when p_units = 0 or k.rate is null;
      if w_second is null then
        insert into rate_windows values (k.subject, k.subject_id, s, v_total, v_buckets, v_oldest) on conflict do nothing;
      else
        -- Every call increases the second or the total: if both are as read, the row is unchanged.
        update rate_windows set second = s, total = v_total, buckets = v_buckets, oldest = v_oldest
         where subject = k.subject and subject_id = k.subject_id and second = w_second and total = w_total;
      end if;
      exit when found;
      -- Another call was first. Locked now, so that no third can be.
      select second, total, buckets, oldest into w_second, w_total, w_buckets, w_oldest from rate_windows
       where subject = k.subject and subject_id = k.subject_id for update;
    end loop;
  end decide;

  -- Over the quota or a cap, or counted while another call took the last of the rate.
  if refused is not null and counted > 0 then
    update unit_counters set units = units - p_units
     where (subject, subject_id, month) in ((k.own, k.own_id, this_month), (k.shared, k.organization_id, k.shared_month));
    counted := 0;
  end if;
  -- The last statement that can fail: Postgres may have been suspended before or within the function.
  if counted > 0 and clock_timestamp() > p_deadline then
    raise exception 'the charge came after its deadline' using errcode = 'query_canceled';
  end if;

  scopes := k.plan_scopes;
  if k.key_scopes is not null then
    scopes := array(select unnest(k.plan_scopes) intersect select unnest(k.key_scopes));
  end if;
  return json_build_object(
    'outcome', refused,
    'organization_id', k.organization_id, 'organization', k.organization,
    'key_id', k.key_id, 'key', k.key, 'kind', k.kind, 'project_id', k.project_id, 'plan', k.plan,
    'scopes', scopes, 'ip_allowlist', k.ip_allowlist::text[],
    'page_size', k.page_size, 'paging_depth', k.paging_depth,
    'price_history_days', k.price_history_days, 'source_links', k.source_links,
    'units', counted, 'month', this_month,
    'rate_limit', k.rate, 'rate_remaining', case when refused is null then rate_remaining end,
    'rate_reset', case when refused is null then rate_reset end,
    'quota_limit', k.quota, 'quota_remaining', case when quota_left is not null then greatest(0, quota_left) end,
    'quota_reset', case when quota_left is not null then month_end end,
    'units_until_refused', case when units_left is not null then greatest(0, units_left) end, 'limited_by', limited_by,
    'retry_after', retry_after, 'clock', date_part('epoch', clock_timestamp()) * 1000);
end
$charge$;
