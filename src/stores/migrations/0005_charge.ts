import type { Knex } from 'knex';

/**
 * One round trip decides everything about a call: who it is, whether it may, and what it costs. The charge is a
 * reservation; `refund` gives it back when the call fails. See src/metering/charge.ts for the result.
 *
 * One statement reads, and two write. What was read of the rate is not locked: the write at the end finds the row as it
 * was read or is tried again, so that calls beyond the rate, which may be many, neither wait nor write.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The second of the oldest bucket that holds units, which is when the first of them are free again.
    alter table rate_windows add column oldest bigint not null default 0;

  create or replace function charge(
    p_hash bytea, p_audience text, p_scope text, p_units integer, p_valid boolean,
    p_limit integer, p_offset integer, p_ip inet, p_now timestamptz
  ) returns charge_result language plpgsql as $charge$
  declare
    r charge_result;
    k record;
    t timestamptz := coalesce(p_now, clock_timestamp());
    utc timestamp := t at time zone 'UTC';
    now_second bigint := floor(date_part('epoch', t));
    month_end timestamp := date_trunc('month', utc) + interval '1 month';
    v_subject text;
    v_subject_id bigint;
    v_used bigint := 0;
    v_ceiling bigint;
    v_group text;
    v_group_id bigint;
    v_group_cap bigint;
    v_grouped bigint;
    -- the rate as it was read, and as it is to be written
    w_second bigint;
    w_total integer;
    w_buckets integer[];
    w_oldest bigint;
    s bigint;
    v_total integer;
    v_buckets integer[];
    v_oldest bigint;
    v_freed integer;
    v_counted boolean := false;
    i bigint;
  begin
    r.units := 0;
    r.month := date_part('year', utc)::integer * 100 + date_part('month', utc)::integer;

    select a.id, a.public_id, a.kind, a.scopes, a.expires_at, a.revoked_at, a.project_id,
           o.id as organization_id, o.public_id as organization, o.suspended_at, o.term_ends_at, o.ip_allowlist,
           o.spend_cap_sar, p.name as plan, p.scopes as plan_scopes, p.overage, p.overage_sar_per_1000,
           p.price_history_days, p.source_links, j.monthly_unit_cap,
           coalesce(o.units_per_minute, p.units_per_minute) as units_per_minute,
           coalesce(o.units_per_month, p.units_per_month) as units_per_month,
           coalesce(o.page_size, p.page_size) as page_size,
           coalesce(o.paging_depth, p.paging_depth) as paging_depth,
           w.second, w.total, w.buckets, w.oldest
      into k
      from api_keys a
      join organizations o on o.id = a.organization_id
      join plans p on p.name = o.plan
      left join projects j on j.id = a.project_id
      left join rate_windows w on w.subject = case a.kind when 'test' then 'key' else 'organization' end
                              and w.subject_id = case a.kind when 'test' then a.id else a.organization_id end
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

    w_second := k.second; w_total := k.total; w_buckets := k.buckets; w_oldest := k.oldest;
    loop
      -- Rate: a window of 60 one-second buckets that slides with the clock.
      if k.units_per_minute is not null then
        s := now_second;
        if w_second is null or s - w_second >= 60 then
          v_buckets := array_fill(0, array[60]); v_total := 0; v_oldest := s;
        else
          v_buckets := w_buckets; v_total := w_total;
          -- nodes whose clocks differ a little share the latest second seen
          s := greatest(s, w_second);
          for i in w_second + 1 .. s loop
            v_total := v_total - v_buckets[i % 60 + 1];
            v_buckets[i % 60 + 1] := 0;
          end loop;
          v_oldest := greatest(w_oldest, s - 59);
        end if;
        if p_units > 0 and v_total + p_units > k.units_per_minute then
          r.outcome := 'rate_limited';
          r.retry_after := 60; r.rate_remaining := null; r.rate_reset := null;
          r.quota_remaining := null; r.quota_reset := null;
          v_freed := 0;
          for i in v_oldest .. s loop
            v_freed := v_freed + v_buckets[i % 60 + 1];
            if v_total - v_freed + p_units <= k.units_per_minute then r.retry_after := greatest(1, i + 60 - s); exit; end if;
          end loop;
          -- Counted while another call took the last of the rate.
          if v_counted then
            update unit_counters set units = units - p_units
             where (subject, subject_id, month) in ((v_group, v_group_id, r.month), (v_subject, v_subject_id, r.month));
          end if;
          return r;
        end if;
        v_total := v_total + p_units;
        v_buckets[s % 60 + 1] := v_buckets[s % 60 + 1] + p_units;
        r.rate_remaining := greatest(0, k.units_per_minute - v_total);
        r.rate_reset := 0;
        if v_total > 0 then
          while v_buckets[v_oldest % 60 + 1] = 0 and v_oldest < s loop v_oldest := v_oldest + 1; end loop;
          r.rate_reset := v_oldest + 60 - s;
        end if;
      end if;

      if not v_counted then
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
          r.quota_reset := ceil(date_part('epoch', month_end - utc));
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
            r.retry_after := ceil(date_part('epoch', month_end - utc));
            return r;
          end if;
        elsif v_group = 'tests' then
          select units into v_grouped from unit_counters
           where subject = v_group and subject_id = v_group_id and month = r.month;
        end if;
        if v_group = 'tests' and v_group_cap is not null then
          r.quota_remaining := least(r.quota_remaining, greatest(0, v_group_cap - coalesce(v_grouped, 0)));
        end if;
        v_counted := true;
      end if;

      exit when p_units = 0 or k.units_per_minute is null;
      if w_second is null then
        insert into rate_windows values (v_subject, v_subject_id, s, v_total, v_buckets, v_oldest) on conflict do nothing;
      else
        -- With every call either the second grows or the total does: as they were read, all is as it was read.
        update rate_windows set second = s, total = v_total, buckets = v_buckets, oldest = v_oldest
         where subject = v_subject and subject_id = v_subject_id and second = w_second and total = w_total;
      end if;
      exit when found;
      -- Another call was first. Locked now, so that no third can be.
      select second, total, buckets, oldest into w_second, w_total, w_buckets, w_oldest from rate_windows
       where subject = v_subject and subject_id = v_subject_id for update;
    end loop;
    r.units := p_units;
    return r;
  end
  $charge$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop function charge; alter table rate_windows drop column oldest');
}
