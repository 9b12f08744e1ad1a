--
-- PostgreSQL database dump
--

\restrict nO3EzHL5DQw1EMB7Z4JuEXLoDUgTiXS2J8A2zGocqoOS134PDZEz2kSynxntwHG

-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.6

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: charge(bytea, text, text, integer, boolean, integer, integer, inet, timestamp with time zone, boolean, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.charge(p_hash bytea, p_audience text, p_scope text, p_units integer, p_valid boolean, p_limit integer, p_offset integer, p_ip inet, p_now timestamp with time zone, p_background boolean DEFAULT false, p_deadline timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  t timestamptz := coalesce(p_now, clock_timestamp());
  utc timestamp := t at time zone 'UTC';
  this_month integer := date_part('year', utc) * 100 + date_part('month', utc);
  -- Seconds until the next month.
  month_end integer := ceil(date_part('epoch', date_trunc('month', utc) + interval '1 month' - utc));
  k record;
  scopes text[]; counted integer := 0; refused text; retry_after integer;
  -- the month
  used_shared bigint; used_own bigint; used bigint; ceiling bigint; quota_left bigint;
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
         -- together stay within its quota, also those revoked since; a project has a cap.
         case a.kind when 'test' then 'tests' else 'organization' end as shared,
         case a.kind when 'test' then 'key' else 'project' end as own,
         case a.kind when 'test' then a.id else a.project_id end as own_id,
         case a.kind when 'test' then coalesce(o.units_per_month, p.units_per_month) else j.monthly_unit_cap end as cap,
         w.second, w.total, w.buckets, w.oldest,
         case
           when a.revoked_at <= t then 'revoked_api_key'
           when a.expires_at <= t then 'expired_api_key'
           when p_audience = 'admin' and a.kind <> 'admin' then 'admin_key_required'
           when p_audience = 'data' and a.kind = 'admin' then 'admin_key_not_allowed'
           when o.suspended_at <= t then 'client_suspended'
           when o.term_ends_at <= t then 'client_expired'
           when not p_background and cardinality(o.ip_allowlist) > 0 and not coalesce(p_ip <<= any (o.ip_allowlist), false) then 'ip_not_allowed'
           when p_scope is not null and not p_scope = any (p.scopes) then 'scope_not_in_plan'
           when p_scope is not null and a.scopes is not null and not p_scope = any (a.scopes) then 'scope_not_in_key'
           when a.kind = 'admin' then case when not p_valid then 'invalid_request' end
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
    exit decide when refused is not null or k.kind = 'admin';

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
           where subject = k.shared and subject_id = k.organization_id and month = this_month returning units into used_shared;
          if not found then
            insert into unit_counters as c values (k.shared, k.organization_id, this_month, p_units)
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
          used_shared := coalesce((select units from unit_counters where subject = k.shared and subject_id = k.organization_id and month = this_month), 0);
          used_own := coalesce((select units from unit_counters where subject = k.own and subject_id = k.own_id and month = this_month), 0);
        end if;

        used := case k.kind when 'test' then used_own else used_shared end;
        if k.quota is not null then
          quota_left := k.quota - used;
          if p_units > 0 and used > k.quota then
            ceiling := k.quota;
            if k.overage and k.kind <> 'test' and k.spend_cap_sar > 0 and k.overage_sar_per_1000 > 0 then
              ceiling := ceiling + floor(k.spend_cap_sar * 1000 / k.overage_sar_per_1000);
            end if;
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
        elsif p_units > 0 and used_own > k.cap then
          refused := 'project_cap_exceeded'; retry_after := month_end; exit decide;
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
     where (subject, subject_id, month) in ((k.own, k.own_id, this_month), (k.shared, k.organization_id, this_month));
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
    'retry_after', retry_after, 'clock', date_part('epoch', clock_timestamp()) * 1000);
end
$$;


--
-- Name: ensure_request_log_partition(date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ensure_request_log_partition(p_month date) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  start timestamptz := date_trunc('month', p_month::timestamp) at time zone 'UTC';
  stop timestamptz := (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  execute format('create table if not exists %I partition of request_logs for values from (%L) to (%L)',
    'request_logs_' || to_char(p_month, 'YYYY_MM'), start, stop);
end $$;


--
-- Name: FUNCTION ensure_request_log_partition(p_month date); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.ensure_request_log_partition(p_month date) IS 'Creates the partition of request_logs for a UTC month. A job calls it ahead of the month.';


--
-- Name: keep_published_releases(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_published_releases() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'published releases never change';
  end if;
  if old.published_at is not null then
    raise exception 'release %-r% is published and never changes', old.month, old.revision;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;


--
-- Name: keep_published_series(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_published_series() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'published releases never change';
  end if;
  if exists (
    select from property_index_releases r
     where r.published_at is not null
       and ((tg_op <> 'INSERT' and r.month = old.month and r.revision = old.revision)
         or (tg_op <> 'DELETE' and r.month = new.month and r.revision = new.revision))
  ) then
    raise exception 'series of a published release never change';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;


--
-- Name: keep_webhook_remains(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_webhook_remains() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into webhook_remains values (old.id);
  return null;
end $$;


--
-- Name: refund(text, bigint, bigint, bigint, integer, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refund(p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update unit_counters set units = greatest(0, units - p_units)
   where subject = case p_kind when 'test' then 'tests' else 'organization' end
     and subject_id = p_organization and month = p_month;
  update unit_counters set units = greatest(0, units - p_units)
   where subject = case p_kind when 'test' then 'key' else 'project' end
     and subject_id = case p_kind when 'test' then p_key else p_project end and month = p_month;
end
$$;


--
-- Name: FUNCTION refund(p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.refund(p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer) IS 'Returns charged units to the month in which they were charged.';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: advertiser_refs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.advertiser_refs (
    advertiser text NOT NULL,
    ref text DEFAULT ('adv_'::text || "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 20)) NOT NULL
);


--
-- Name: TABLE advertiser_refs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.advertiser_refs IS 'The public id of each company that advertises. Random, because the keys of feeds are telephone and registration numbers, which a hash does not hide.';


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    project_id bigint,
    kind text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    last_four text NOT NULL,
    scopes text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    rotated_to bigint,
    exposed_at timestamp with time zone,
    last_used_at timestamp with time zone,
    pepper text,
    member_id bigint,
    CONSTRAINT api_keys_kind_check CHECK ((kind = ANY (ARRAY['live'::text, 'admin'::text, 'test'::text])))
);


--
-- Name: TABLE api_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.api_keys IS 'API keys, including revoked ones. The names of active keys are unique in an organization.';


--
-- Name: api_keys_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: audit_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_events (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_type text NOT NULL,
    actor_id text,
    action text NOT NULL,
    target_id text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    request_id text,
    CONSTRAINT audit_events_actor_type_check CHECK ((actor_type = ANY (ARRAY['key'::text, 'operator'::text, 'system'::text])))
);


--
-- Name: TABLE audit_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_events IS 'Audit log of an organization, written in the transaction of the change.';


--
-- Name: audit_events_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: estimate_ledger; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.estimate_ledger (
    listing_id bigint NOT NULL,
    day date NOT NULL,
    city text NOT NULL,
    listing_type text NOT NULL,
    property_type text NOT NULL,
    version text NOT NULL,
    price double precision NOT NULL,
    estimate double precision NOT NULL,
    reach_80 double precision NOT NULL,
    reach_50 double precision NOT NULL
);


--
-- Name: TABLE estimate_ledger; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.estimate_ledger IS 'Estimates of new listings, beside their first prices.';


--
-- Name: exports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.exports (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    key_id bigint,
    dataset text NOT NULL,
    format text NOT NULL,
    filters json NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    as_of timestamp with time zone,
    attempt integer DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone NOT NULL,
    rows_total bigint,
    rows_written bigint DEFAULT 0 NOT NULL,
    units integer DEFAULT 0 NOT NULL,
    charge json,
    files json,
    error_code text,
    error_message text,
    files_deleted_at timestamp with time zone,
    CONSTRAINT exports_format_check CHECK ((format = ANY (ARRAY['ndjson'::text, 'csv'::text]))),
    CONSTRAINT exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);


--
-- Name: TABLE exports; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.exports IS 'Exports with their progress, which are also the queue of the export workers.';


--
-- Name: exports_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.exports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.exports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: history_fences; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.history_fences (
    kind text NOT NULL,
    tier text NOT NULL,
    fence text NOT NULL,
    low double precision NOT NULL,
    high double precision,
    rules text NOT NULL
);


--
-- Name: TABLE history_fences; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.history_fences IS 'The fences by which the history was last checked, so that a run only checks the part that changed fences affect.';


--
-- Name: idempotency_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_records (
    organization_id bigint NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea NOT NULL,
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE idempotency_records; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.idempotency_records IS 'The first response to a POST request with an Idempotency-Key, stored in the transaction of its effect.';


--
-- Name: identity_sets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_sets (
    city text NOT NULL,
    listing_type text NOT NULL,
    kind text NOT NULL
);


--
-- Name: TABLE identity_sets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.identity_sets IS 'Sets of ads that the identity stage of the active run compares.';


--
-- Name: ingest_rejects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ingest_rejects (
    source text NOT NULL,
    digest text NOT NULL,
    run_id integer NOT NULL,
    "position" integer NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    "row" text NOT NULL,
    count bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    at timestamp with time zone NOT NULL
);


--
-- Name: TABLE ingest_rejects; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.ingest_rejects IS 'Rejected rows of feeds, one for all times that a source has the same reject. Limited per run and source.';


--
-- Name: ingest_retries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ingest_retries (
    single boolean DEFAULT true NOT NULL,
    since timestamp with time zone NOT NULL,
    failures integer NOT NULL,
    next_at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    CONSTRAINT ingest_retries_single_check CHECK (single)
);


--
-- Name: TABLE ingest_retries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.ingest_retries IS 'The next attempt of a run that failed because a datastore was unavailable. At most one row, until a run completes.';


--
-- Name: ingest_run_stages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ingest_run_stages (
    run_id integer NOT NULL,
    stage text NOT NULL,
    source text DEFAULT ''::text NOT NULL,
    kept bigint DEFAULT 0 NOT NULL,
    dropped jsonb DEFAULT '{}'::jsonb NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    checkpoint bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone
);


--
-- Name: TABLE ingest_run_stages; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.ingest_run_stages IS 'Progress and report of each stage of a run, from which a killed run is resumed.';


--
-- Name: ingest_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ingest_runs (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    status text NOT NULL,
    sources text[] NOT NULL,
    trigger text NOT NULL,
    options jsonb DEFAULT '{}'::jsonb NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    resumed integer DEFAULT 0 NOT NULL,
    error text,
    uid text DEFAULT encode(uuid_send(gen_random_uuid()), 'hex'::text),
    CONSTRAINT ingest_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'failed'::text, 'completed'::text])))
);


--
-- Name: TABLE ingest_runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.ingest_runs IS 'Ingest runs in order.';


--
-- Name: job_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.job_runs (
    name text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    result jsonb,
    error text
);


--
-- Name: TABLE job_runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.job_runs IS 'For each scheduled job, the last minute at which it was due and a worker started it.';


--
-- Name: knex_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knex_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: knex_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.knex_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: knex_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.knex_migrations_id_seq OWNED BY public.knex_migrations.id;


--
-- Name: knex_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knex_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.knex_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.knex_migrations_lock_index_seq OWNED BY public.knex_migrations_lock.index;


--
-- Name: listing_deals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_deals (
    listing_id bigint NOT NULL,
    version integer NOT NULL,
    comparison text NOT NULL,
    gone boolean DEFAULT false NOT NULL,
    changed_run integer NOT NULL
)
WITH (fillfactor='80');


--
-- Name: TABLE listing_deals; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_deals IS 'Listings priced noticeably below their comparison.';


--
-- Name: listing_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_events (
    run_id integer NOT NULL,
    listing_id bigint NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    version integer NOT NULL,
    at timestamp with time zone NOT NULL,
    city text NOT NULL,
    listing_type text NOT NULL,
    property_type text NOT NULL,
    neighborhood_id integer,
    price_yearly_sar double precision,
    previous_price_yearly_sar double precision,
    skipped_at timestamp with time zone,
    skipped_reason text,
    CONSTRAINT listing_events_type_check CHECK ((type = ANY (ARRAY['listing.created'::text, 'listing.price_changed'::text, 'listing.delisted'::text])))
);


--
-- Name: TABLE listing_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_events IS 'Changes of served listings, at most one per listing and run.';


--
-- Name: listing_months; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_months (
    listing_id bigint NOT NULL,
    first_month smallint NOT NULL,
    last_month smallint NOT NULL,
    listing_type text NOT NULL,
    price double precision,
    new_month smallint,
    new_price double precision,
    plausible smallint DEFAULT 0 NOT NULL,
    changed_run integer NOT NULL
)
WITH (fillfactor='80');


--
-- Name: TABLE listing_months; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_months IS 'Intervals of months in which a listing was live at one price, as of the end of each month. First months are only added, so no row is deleted.';


--
-- Name: listing_prices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_prices (
    listing_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    price_yearly_sar double precision,
    posted_amount double precision
);


--
-- Name: TABLE listing_prices; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_prices IS 'Every price of an ad, including the first; null from when it has none. No foreign key, because the ad is written in the same transaction.';


--
-- Name: listing_publications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_publications (
    listing_id bigint NOT NULL,
    modified bigint NOT NULL,
    content bigint,
    shown smallint NOT NULL
);


--
-- Name: TABLE listing_publications; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_publications IS 'The last published state of listings. A listing without a row has its first value, which follows from its id and first_seen_at.';


--
-- Name: listing_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_records (
    id bigint NOT NULL,
    url text,
    record text NOT NULL
)
WITH (toast_tuple_target='8160', fillfactor='100', autovacuum_vacuum_insert_threshold='-1');
ALTER TABLE ONLY public.listing_records ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE ONLY public.listing_records ALTER COLUMN record SET STATISTICS 0;
ALTER TABLE ONLY public.listing_records ALTER COLUMN record SET STORAGE EXTERNAL;


--
-- Name: TABLE listing_records; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_records IS 'The normalized ad, JSON. Only found by id.';


--
-- Name: listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listings (
    id bigint NOT NULL,
    source text NOT NULL,
    source_listing_id text NOT NULL,
    content_hash text NOT NULL,
    city text NOT NULL,
    listing_type text NOT NULL,
    property_type text NOT NULL,
    listing_category text NOT NULL,
    neighborhood_id integer,
    bedrooms double precision,
    bathrooms double precision,
    livings double precision,
    age_years double precision,
    floor text,
    area_sqm double precision,
    price double precision,
    lat double precision,
    lng double precision,
    signature text NOT NULL,
    advertiser text,
    photos text DEFAULT ''::text NOT NULL,
    photo_list text DEFAULT ''::text NOT NULL,
    photos_pending smallint DEFAULT 0 NOT NULL,
    needs_photos boolean NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by_source boolean NOT NULL,
    withdrawn_at timestamp with time zone,
    previous_price double precision,
    price_changed_at timestamp with time zone,
    duplicate_of bigint,
    also_listed_on text DEFAULT ''::text NOT NULL,
    plausible_typed boolean DEFAULT true NOT NULL,
    plausible_pooled boolean DEFAULT true NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    changed_run integer NOT NULL,
    content_run integer NOT NULL,
    was_served boolean DEFAULT false NOT NULL,
    served boolean GENERATED ALWAYS AS (((withdrawn_at IS NULL) AND (duplicate_of IS NULL) AND ((photos <> ''::text) OR (NOT needs_photos)))) STORED NOT NULL,
    posted_amount double precision,
    per_sqm boolean DEFAULT false NOT NULL,
    project_ref text,
    project_name text,
    project_developer text,
    project_id integer,
    project text,
    withdrawn_reason text,
    neighborhood_stated boolean DEFAULT false NOT NULL,
    unit text,
    listed_run integer,
    text_flags text[] DEFAULT '{}'::text[] NOT NULL,
    relisted boolean DEFAULT false NOT NULL,
    shared_photos boolean DEFAULT false NOT NULL,
    far_below boolean DEFAULT false NOT NULL,
    text_area double precision,
    plot_area double precision,
    street_width double precision,
    photos_checked_run integer DEFAULT 0 NOT NULL,
    features integer,
    text_implausible boolean DEFAULT false NOT NULL,
    priced boolean DEFAULT true NOT NULL,
    was_priced boolean DEFAULT true NOT NULL,
    reread_run integer,
    CONSTRAINT listings_withdrawn_reason_check CHECK ((withdrawn_reason = ANY (ARRAY['stale'::text, 'refused'::text])))
)
WITH (fillfactor='80');


--
-- Name: TABLE listings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listings IS 'The state of every ad, one row for each (source, source_listing_id), never deleted, so that ids do not change. Narrow, because flags change without the ad; the ad is in listing_records.';


--
-- Name: lost_photos; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.lost_photos (
    owner text NOT NULL,
    owner_id bigint NOT NULL,
    key text NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    tried_at timestamp with time zone,
    error text,
    CONSTRAINT lost_photos_owner_check CHECK ((owner = ANY (ARRAY['listings'::text, 'off_plan_records'::text])))
);


--
-- Name: TABLE lost_photos; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.lost_photos IS 'Keys that a listing or project shows and that the bucket does not have, until they are stored again.';


--
-- Name: mails; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mails (
    id bigint NOT NULL,
    reason text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    finished_at timestamp with time zone,
    error text
);


--
-- Name: TABLE mails; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.mails IS 'Email outbox, written in the transaction of the event that a mail reports.';


--
-- Name: mails_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.mails ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.mails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);


--
-- Name: TABLE members; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.members IS 'Members of an organization with their roles.';


--
-- Name: members_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.members ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.members_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: modification_clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.modification_clock (
    single boolean DEFAULT true NOT NULL,
    high bigint NOT NULL,
    watermark bigint,
    run integer DEFAULT 0 NOT NULL,
    CONSTRAINT modification_clock_single_check CHECK (single)
);


--
-- Name: TABLE modification_clock; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.modification_clock IS 'The single row from which `modified_at` is assigned, in epoch microseconds.';


--
-- Name: off_plan_developer_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.off_plan_developer_keys (
    key text NOT NULL,
    developer_id integer NOT NULL
);


--
-- Name: TABLE off_plan_developer_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.off_plan_developer_keys IS 'Folded spellings of the names of developers, by language.';


--
-- Name: off_plan_developers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.off_plan_developers (
    id integer NOT NULL,
    name_en text,
    name_ar text,
    document text,
    changed_run integer NOT NULL
);


--
-- Name: TABLE off_plan_developers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.off_plan_developers IS 'Developers of off-plan projects.';


--
-- Name: off_plan_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.off_plan_projects (
    id integer NOT NULL,
    developer_id integer,
    document text,
    unit_project text,
    changed_run integer NOT NULL
);


--
-- Name: TABLE off_plan_projects; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.off_plan_projects IS 'Projects into which records of the same project are merged.';


--
-- Name: off_plan_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.off_plan_records (
    id integer NOT NULL,
    source text NOT NULL,
    source_project_id text NOT NULL,
    content_hash text NOT NULL,
    name_en text,
    name_ar text,
    developer_en text,
    developer_ar text,
    city text NOT NULL,
    neighborhood_id integer,
    lat double precision,
    lng double precision,
    license text,
    record text NOT NULL,
    photos text DEFAULT ''::text NOT NULL,
    photo_list text DEFAULT ''::text NOT NULL,
    photos_pending smallint DEFAULT 0 NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    changed_run integer NOT NULL,
    listed_run integer,
    photos_checked_run integer DEFAULT 0 NOT NULL
);


--
-- Name: TABLE off_plan_records; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.off_plan_records IS 'One row for each project of a source, never deleted.';


--
-- Name: official_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.official_files (
    id integer NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    kind text,
    layout text,
    status text DEFAULT 'reading'::text NOT NULL,
    rows integer DEFAULT 0 NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    rejected integer DEFAULT 0 NOT NULL,
    reasons jsonb DEFAULT '{}'::jsonb NOT NULL,
    detail text,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT official_files_status_check CHECK ((status = ANY (ARRAY['reading'::text, 'imported'::text, 'held'::text, 'repeated'::text, 'refused'::text])))
);


--
-- Name: TABLE official_files; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.official_files IS 'Imported files and their results.';


--
-- Name: official_files_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.official_files ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.official_files_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: official_loads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.official_loads (
    id integer NOT NULL,
    kind text NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    quarter smallint NOT NULL,
    file_id integer NOT NULL,
    digest text NOT NULL,
    rows integer NOT NULL,
    last_day date,
    state text NOT NULL,
    detail text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    served integer DEFAULT 0 NOT NULL,
    names_classes boolean DEFAULT true NOT NULL,
    CONSTRAINT official_loads_kind_check CHECK ((kind = ANY (ARRAY['transactions'::text, 'registered_rents'::text, 'sales_indicators'::text, 'price_index'::text]))),
    CONSTRAINT official_loads_state_check CHECK ((state = ANY (ARRAY['staged'::text, 'held'::text, 'current'::text, 'retired'::text])))
);


--
-- Name: TABLE official_loads; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.official_loads IS 'The data of one publication for one quarter. Making another load the current one replaces the quarter.';


--
-- Name: COLUMN official_loads.scope; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.official_loads.scope IS 'the region or the city, for publications that come in one file each; empty: the whole country';


--
-- Name: COLUMN official_loads.last_day; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.official_loads.last_day IS 'of its last row that has a day and that no rule leaves out';


--
-- Name: COLUMN official_loads.served; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.official_loads.served IS 'its rows that no rule leaves out';


--
-- Name: official_loads_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.official_loads ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.official_loads_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: official_rejects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.official_rejects (
    file_id integer NOT NULL,
    line integer NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL
);


--
-- Name: TABLE official_rejects; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.official_rejects IS 'The first thousand rejected rows of a file, without their cells: a misplaced cell may be the number of a plan, a parcel or a deed.';


--
-- Name: organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organizations (
    id bigint NOT NULL,
    public_id text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    units_per_minute integer,
    units_per_month bigint,
    page_size integer,
    paging_depth integer,
    active_keys integer,
    projects integer,
    spend_cap_sar numeric(12,2) DEFAULT 0 NOT NULL,
    suspended_at timestamp with time zone,
    term_ends_at timestamp with time zone,
    ip_allowlist cidr[] DEFAULT '{}'::cidr[] NOT NULL,
    log_retention_days smallint DEFAULT 30 NOT NULL,
    log_request_details boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organizations_log_retention_days_check CHECK ((log_retention_days = ANY (ARRAY[7, 30, 90])))
);


--
-- Name: TABLE organizations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.organizations IS 'Customers. A key, project or member belongs to one organization.';


--
-- Name: organizations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.organizations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organizations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: photo_bands; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.photo_bands (
    band integer NOT NULL,
    phash bigint NOT NULL,
    key text NOT NULL
);


--
-- Name: TABLE photo_bands; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.photo_bands IS 'The four bands of 16 bits of the hashes of first images.';


--
-- Name: photo_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.photo_checks (
    owner text NOT NULL,
    owner_id bigint NOT NULL,
    CONSTRAINT photo_checks_owner_check CHECK ((owner = ANY (ARRAY['listings'::text, 'off_plan_records'::text])))
);


--
-- Name: TABLE photo_checks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.photo_checks IS 'Listings and projects whose photos the active run requests again. A killed run continues with those that are left.';


--
-- Name: photo_images; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.photo_images (
    key text NOT NULL,
    phash bigint,
    same_as text NOT NULL
);


--
-- Name: TABLE photo_images; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.photo_images IS 'Images in the CDN bucket. Images that show the same photo, re-encoded or resized, reference the first of them.';


--
-- Name: photos; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.photos (
    url_hash text NOT NULL,
    status text NOT NULL,
    key text,
    attempts smallint DEFAULT 1 NOT NULL,
    last_run integer NOT NULL,
    error text,
    small boolean DEFAULT false NOT NULL,
    etag text,
    last_modified text,
    CONSTRAINT photos_status_check CHECK ((status = ANY (ARRAY['stored'::text, 'failed'::text])))
);


--
-- Name: TABLE photos; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.photos IS 'Photos by their address.';


--
-- Name: plans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plans (
    name text NOT NULL,
    rank smallint NOT NULL,
    units_per_minute integer,
    units_per_month bigint,
    page_size integer NOT NULL,
    paging_depth integer NOT NULL,
    active_keys integer NOT NULL,
    projects integer NOT NULL,
    scopes text[] NOT NULL,
    overage boolean NOT NULL,
    overage_sar_per_1000 numeric(10,4) DEFAULT 0 NOT NULL,
    price_history_days integer,
    source_links boolean NOT NULL
);


--
-- Name: TABLE plans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.plans IS 'Plans with their limits and scopes. The rows are part of the schema.';


--
-- Name: price_index; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.price_index (
    load_id integer NOT NULL,
    quarter smallint NOT NULL,
    region text NOT NULL,
    item text NOT NULL,
    item_ar text NOT NULL,
    base_year smallint NOT NULL,
    index_value double precision NOT NULL,
    weight double precision,
    change_yoy double precision,
    change_qoq double precision
);


--
-- Name: TABLE price_index; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.price_index IS 'The official real estate price index by region and item.';


--
-- Name: projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.projects (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    monthly_unit_cap bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE projects; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.projects IS 'Projects of an organization, which divide its keys and may have a cap of units per month.';


--
-- Name: projects_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.projects ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.projects_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: property_index_releases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.property_index_releases (
    month text NOT NULL,
    revision integer NOT NULL,
    note text,
    digest text NOT NULL,
    cities_without_series text NOT NULL,
    published_at timestamp with time zone,
    CONSTRAINT property_index_releases_check CHECK (((revision = 1) = (note IS NULL))),
    CONSTRAINT property_index_releases_month_check CHECK ((month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text)),
    CONSTRAINT property_index_releases_revision_check CHECK ((revision > 0))
);


--
-- Name: TABLE property_index_releases; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.property_index_releases IS 'Releases of the property index. Triggers prevent changes of published ones.';


--
-- Name: property_index_series; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.property_index_series (
    month text NOT NULL,
    revision integer NOT NULL,
    "position" integer NOT NULL,
    kind text NOT NULL,
    property text NOT NULL,
    city text,
    content text NOT NULL
);


--
-- Name: TABLE property_index_series; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.property_index_series IS 'The series of a release of the property index.';


--
-- Name: quality_fences; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quality_fences (
    kind text NOT NULL,
    tier text NOT NULL,
    fence text NOT NULL,
    run_id integer NOT NULL,
    sample_size integer NOT NULL,
    median_price double precision NOT NULL,
    mad_log_price double precision,
    low double precision,
    high double precision,
    CONSTRAINT quality_fences_kind_check CHECK ((kind = ANY (ARRAY['typed'::text, 'pooled'::text, 'per_sqm'::text])))
);


--
-- Name: TABLE quality_fences; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.quality_fences IS 'The current plausibility fences, computed by the last run that changed anything.';


--
-- Name: rate_windows; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.rate_windows (
    subject text NOT NULL,
    subject_id bigint NOT NULL,
    second bigint NOT NULL,
    total integer NOT NULL,
    buckets integer[] NOT NULL,
    oldest bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');


--
-- Name: TABLE rate_windows; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rate_windows IS 'Units charged in the last minute. Unlogged, because a crash loses at most one minute of the rate limit.';


--
-- Name: registered_rents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.registered_rents (
    load_id integer NOT NULL,
    quarter smallint NOT NULL,
    region_ar text NOT NULL,
    town_ar text NOT NULL,
    city text,
    neighborhood_id integer,
    neighborhood_ar text,
    property_type text NOT NULL,
    property_type_ar text NOT NULL,
    contract_count integer NOT NULL,
    mean_rent_sar double precision,
    mean_rent_per_sqm_sar double precision,
    CONSTRAINT registered_rents_check CHECK (((mean_rent_sar IS NOT NULL) OR (mean_rent_per_sqm_sar IS NOT NULL)))
);


--
-- Name: TABLE registered_rents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.registered_rents IS 'Mean rents of registered contracts. The publisher states those of commercial types per square meter.';


--
-- Name: released_listing_events; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.released_listing_events AS
 SELECT e.run_id,
    e.listing_id,
    e.id,
    e.type,
    e.version,
    e.at,
    e.city,
    e.listing_type,
    e.property_type,
    e.neighborhood_id,
    e.price_yearly_sar,
    e.previous_price_yearly_sar,
    r.completed_at AS released_at
   FROM (public.listing_events e
     JOIN public.ingest_runs r ON ((r.id = e.run_id)))
  WHERE (r.status = 'completed'::text);


--
-- Name: VIEW released_listing_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON VIEW public.released_listing_events IS 'Events of completed runs. Readers other than the run use this view.';


--
-- Name: replaced_photos; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replaced_photos (
    key text NOT NULL
);


--
-- Name: TABLE replaced_photos; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.replaced_photos IS 'Keys whose address has other bytes since the check of one owner, until all owners that show them are updated.';


--
-- Name: request_logs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    request_id text NOT NULL,
    organization_id bigint NOT NULL,
    key_id bigint NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    status smallint NOT NULL,
    code text,
    units integer NOT NULL,
    duration_ms real NOT NULL,
    ip inet,
    message text,
    param text,
    query text
)
PARTITION BY RANGE (at);


--
-- Name: TABLE request_logs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.request_logs IS 'Calls of each organization. A partition is dropped when no organization retains its month.';


--
-- Name: request_logs_2026_08; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2026_08 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_2026_09; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2026_09 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_2026_10; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2026_10 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_2026_11; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2026_11 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_2026_12; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2026_12 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_2027_01; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.request_logs_2027_01 (
    id bigint CONSTRAINT request_logs_id_not_null NOT NULL,
    at timestamp with time zone CONSTRAINT request_logs_at_not_null NOT NULL,
    request_id text CONSTRAINT request_logs_request_id_not_null NOT NULL,
    organization_id bigint CONSTRAINT request_logs_organization_id_not_null NOT NULL,
    key_id bigint CONSTRAINT request_logs_key_id_not_null NOT NULL,
    method text CONSTRAINT request_logs_method_not_null NOT NULL,
    route text CONSTRAINT request_logs_route_not_null NOT NULL,
    status smallint CONSTRAINT request_logs_status_not_null NOT NULL,
    code text,
    units integer CONSTRAINT request_logs_units_not_null NOT NULL,
    duration_ms real CONSTRAINT request_logs_duration_ms_not_null NOT NULL,
    ip inet,
    message text,
    param text,
    query text
);


--
-- Name: request_logs_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.request_logs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.request_logs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: restores; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.restores (
    id integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    reason text NOT NULL,
    after_run integer NOT NULL,
    last_listing bigint NOT NULL,
    last_project integer NOT NULL,
    last_developer integer NOT NULL,
    last_run integer NOT NULL,
    rebuilt_at timestamp with time zone,
    lost_runs text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT restores_reason_check CHECK ((reason = ANY (ARRAY['detected'::text, 'stated'::text])))
);


--
-- Name: TABLE restores; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.restores IS 'Restores of this database to an earlier state.';


--
-- Name: restores_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.restores ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.restores_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: sales_indicators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sales_indicators (
    load_id integer NOT NULL,
    quarter smallint NOT NULL,
    region_ar text NOT NULL,
    town_ar text NOT NULL,
    city text,
    neighborhood_id integer,
    neighborhood_ar text,
    property_type text NOT NULL,
    land_use_class text,
    deed_count integer NOT NULL,
    value_sar double precision NOT NULL,
    area_sqm double precision NOT NULL,
    mean_price_per_sqm_sar double precision,
    max_price_per_sqm_sar double precision,
    min_price_per_sqm_sar double precision
);


--
-- Name: TABLE sales_indicators; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sales_indicators IS 'Indicators of the regulator, from which the property index is computed. Rows are not served.';


--
-- Name: schema_contracts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_contracts (
    version integer NOT NULL,
    migration text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE schema_contracts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.schema_contracts IS 'Contract steps: migrations after which earlier releases cannot use the database.';


--
-- Name: COLUMN schema_contracts.version; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.schema_contracts.version IS 'the oldest schema version that a release must have to use this database, which is that of the migration';


--
-- Name: schema_functions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_functions (
    only_row boolean DEFAULT true NOT NULL,
    release integer NOT NULL,
    checksum text NOT NULL,
    CONSTRAINT schema_functions_only_row_check CHECK (only_row)
);


--
-- Name: TABLE schema_functions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.schema_functions IS 'The release that last replaced the functions outside migrations, and the checksum of their text.';


--
-- Name: served_indexes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.served_indexes (
    name text NOT NULL,
    serving text,
    documents bigint DEFAULT 0 NOT NULL,
    run bigint,
    made_with text,
    intended text,
    intended_documents bigint DEFAULT 0 NOT NULL,
    previous text,
    previous_run bigint,
    settled_at timestamp with time zone
);


--
-- Name: TABLE served_indexes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.served_indexes IS 'The index behind each alias, and the one to which an alias is about to move.';


--
-- Name: source_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.source_states (
    source text NOT NULL,
    last_complete_run integer,
    last_seen_at timestamp with time zone,
    live_count bigint DEFAULT 0 NOT NULL,
    held_run integer,
    held_reason text,
    released boolean DEFAULT false NOT NULL,
    error text,
    stale_reason text,
    line_break boolean
);


--
-- Name: TABLE source_states; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.source_states IS 'The state of each feed.';


--
-- Name: transactions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transactions (
    load_id integer NOT NULL,
    key bigint NOT NULL,
    city text,
    neighborhood_id integer,
    ministry_region_ar text,
    ministry_city_ar text,
    ministry_district_ar text,
    land_use_class text NOT NULL,
    day date NOT NULL,
    quarter smallint NOT NULL,
    price_sar double precision NOT NULL,
    area_sqm double precision NOT NULL,
    property_count integer
);


--
-- Name: TABLE transactions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.transactions IS 'Deals that the Ministry of Justice publishes.';


--
-- Name: unit_counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.unit_counters (
    subject text NOT NULL,
    subject_id bigint NOT NULL,
    month integer NOT NULL,
    units bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: TABLE unit_counters; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.unit_counters IS 'Units charged in a month. Bills are computed from this table.';


--
-- Name: usage_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_days (
    organization_id bigint NOT NULL,
    day date NOT NULL,
    key_id bigint NOT NULL,
    endpoint text NOT NULL,
    result text NOT NULL,
    requests bigint NOT NULL,
    units bigint NOT NULL,
    CONSTRAINT usage_days_result_check CHECK ((result = ANY (ARRAY['2xx'::text, '4xx'::text, '429'::text, '5xx'::text])))
);


--
-- Name: TABLE usage_days; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.usage_days IS 'Calls per day, key, endpoint and result, for usage reports.';


--
-- Name: webhook_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts (
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    status integer,
    duration_ms integer NOT NULL,
    error text,
    reply text NOT NULL
);


--
-- Name: TABLE webhook_attempts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.webhook_attempts IS 'The outcome of each attempt of a delivery.';


--
-- Name: webhook_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    public_id text NOT NULL,
    endpoint_id bigint NOT NULL,
    sequence bigint NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    listing_id bigint,
    test boolean DEFAULT false NOT NULL,
    requested boolean DEFAULT false NOT NULL,
    body text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='80');


--
-- Name: TABLE webhook_deliveries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.webhook_deliveries IS 'Deliveries of events to endpoints, which are also the queue of the webhook workers.';


--
-- Name: webhook_deliveries_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.webhook_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: webhook_endpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_endpoints (
    id bigint NOT NULL,
    public_id text NOT NULL,
    organization_id bigint NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    event_types text[] NOT NULL,
    filters json NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    status text DEFAULT 'enabled'::text NOT NULL,
    disabled_reason text,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    delivered bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    sequence bigint DEFAULT 0 NOT NULL,
    matched_run integer NOT NULL,
    matched_listing bigint NOT NULL,
    round_run integer DEFAULT 0 NOT NULL,
    round_count integer DEFAULT 0 NOT NULL,
    indexed_in text,
    enabled_at timestamp with time zone DEFAULT now() NOT NULL,
    missed_until timestamp with time zone,
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['exhausted'::text, 'operator'::text]))),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);


--
-- Name: TABLE webhook_endpoints; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.webhook_endpoints IS 'Webhook endpoints of an organization.';


--
-- Name: webhook_endpoints_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.webhook_endpoints ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_endpoints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: webhook_remains; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_remains (
    endpoint_id bigint NOT NULL
);


--
-- Name: TABLE webhook_remains; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.webhook_remains IS 'Deleted endpoints whose deliveries are still to be deleted.';


--
-- Name: request_logs_2026_08; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2026_08 FOR VALUES FROM ('2026-08-01 00:00:00+00') TO ('2026-09-01 00:00:00+00');


--
-- Name: request_logs_2026_09; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2026_09 FOR VALUES FROM ('2026-09-01 00:00:00+00') TO ('2026-10-01 00:00:00+00');


--
-- Name: request_logs_2026_10; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2026_10 FOR VALUES FROM ('2026-10-01 00:00:00+00') TO ('2026-11-01 00:00:00+00');


--
-- Name: request_logs_2026_11; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: request_logs_2026_12; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: request_logs_2027_01; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs ATTACH PARTITION public.request_logs_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: knex_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knex_migrations ALTER COLUMN id SET DEFAULT nextval('public.knex_migrations_id_seq'::regclass);


--
-- Name: knex_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knex_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.knex_migrations_lock_index_seq'::regclass);


--
-- Data for Name: advertiser_refs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.advertiser_refs VALUES ('Hh2Mu1ho-poD', 'adv_83be6a196bdc41ecac8a');


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (1, 'key_893307ca77a1f96c35dcc99b', 1, NULL, 'live', 'Demo free', '\xc377c76c3bf593e5bee79cbc612a7a90bafd9842b12d8f66e1201383816815f7', 'yDC8', NULL, '2026-11-27 03:06:04.501386+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (2, 'key_979b6cfb01b0dfcfa86eba8c', 2, NULL, 'live', 'Demo starter', '\xd06530a20265ff47d0d1826f70c76672cb23940cf599937a8b9b3a8f39dcacff', '9DO9', NULL, '2026-11-27 03:06:04.506479+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (3, 'key_3208a3aa460e74fde8fdec06', 3, NULL, 'live', 'Demo growth', '\x7ac1d43af23718e9300ebcf0a4139dd5c6e6318e91dfec5df6a876767d53e240', 'DdVj', NULL, '2026-11-27 03:06:04.507637+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (5, 'key_d2642a0deddb4bc74676f5cf', 5, NULL, 'live', 'Demo enterprise', '\x5984551d6f79b0a11c8c6fb6dd5d81687c08d3bba6287b40fca7c64adc284f7f', 'dtzj', NULL, '2026-11-27 03:06:04.518343+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (6, 'key_d6a69b8cfa072f1ec2cf3854', 4, NULL, 'test', 'Demo test', '\x21dd952cd9b1736a72e924e80a8ff63af2610960cc4123da3e3f6bc36df85755', 'XFQe', NULL, '2026-11-27 03:06:04.529929+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (7, 'key_affea0ad6e018f23e5bfb217', 4, NULL, 'admin', 'Demo admin', '\x9b0a02627395b83cd1c6b222ff69752b916cae7fc603e10a7ae2473498c27e4d', 'Db1t', NULL, '2026-11-27 03:06:04.557386+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (4, 'key_b48ba196d19321f5fbfcd147', 4, 1, 'live', 'Demo pro', '\xc371bc12f0c0e45fb922f8710ac5cf45c4898f1fd464197760630bf64564f13a', 'E8qH', NULL, '2026-11-27 03:06:04.508655+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: audit_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (1, 'aud_655823edc257a67e7b979de6', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'member.added', 'mem_1eb10e6e798fe8dc89b191e7', '{"role": "owner"}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (2, 'aud_02f9cb6fd9c160e73af3a80c', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'member.added', 'mem_bba5e97616a7f8f1b967b01a', '{"role": "admin"}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (3, 'aud_f5c5483dac47b6df5a7218a2', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'member.added', 'mem_a44a79e58a267c875143ba11', '{"role": "developer"}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (4, 'aud_76c0f2ed8823a425b71bcb78', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'member.added', 'mem_0c6465194c9928c6c2c50e82', '{"role": "billing"}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (5, 'aud_a5f71b75a08bc9084b6558b0', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'member.added', 'mem_6e6bc5ed2856a65742dd2666', '{"role": "viewer"}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (6, 'aud_caac600f2a3874db15648aac', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'project.created', 'prj_d8e98babff3142042ee6931c', '{"name": "Website", "monthly_unit_cap": 500000}', NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (7, 'aud_5f58d95123cb4628bebab693', 4, '2026-11-27 03:06:04.566343+00', 'system', NULL, 'project.created', 'prj_13ba86957f8d050e995b8a64', '{"name": "Reports", "monthly_unit_cap": 50000}', NULL);


--
-- Data for Name: estimate_ledger; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: exports; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: history_fences; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: idempotency_records; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: identity_sets; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ingest_rejects; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ingest_retries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ingest_run_stages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ingest_run_stages VALUES (1, 'fetch', 'bayt_jadid', 11, '{}', '{"new": 11, "rows": 11, "changed": 0, "relisted": 0, "unchanged": 0, "withdrawn": 0}', 0, '2026-11-27 03:06:04.972524+00', '2026-11-27 03:06:05.339052+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'fetch', 'burj_living', 5, '{}', '{"new": 5, "rows": 5, "changed": 0, "relisted": 0, "unchanged": 0, "withdrawn": 0}', 0, '2026-11-27 03:06:05.34309+00', '2026-11-27 03:06:06.028466+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'fetch', 'masar_projects', 13, '{}', '{"new": 13, "rows": 13, "changed": 0, "relisted": 0, "unchanged": 0, "withdrawn": 0}', 0, '2026-11-27 03:06:06.030488+00', '2026-11-27 03:06:06.062945+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'fetch', 'dalil_mashari/projects', 3, '{}', '{"new": 3, "rows": 3, "changed": 0, "relisted": 0, "unchanged": 0, "withdrawn": 0}', 0, '2026-11-27 03:06:06.065054+00', '2026-11-27 03:06:06.09411+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'fetch', 'masar_projects/projects', 3, '{}', '{"new": 3, "rows": 3, "changed": 0, "relisted": 0, "unchanged": 0, "withdrawn": 0}', 0, '2026-11-27 03:06:06.096959+00', '2026-11-27 03:06:06.104432+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'places', '', 0, '{"split_vote": 0}', '{"by_vote": 0, "by_center": 0, "by_boundary": 0}', 0, '2026-11-27 03:06:06.110206+00', '2026-11-27 03:06:06.11176+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'reposts', '', 0, '{}', '{}', 0, '2026-11-27 03:06:06.112622+00', '2026-11-27 03:06:06.118694+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'photos', '', 0, '{}', '{"checked": 0, "fetched": 0, "listings": 0, "replaced": 0, "already_there": 0, "failed_checks": 0, "left_for_later": 0}', 1, '2026-11-27 03:06:17.144756+00', '2026-11-27 03:06:17.157754+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'photos', '', 70, '{}', '{"checked": 0, "fetched": 46, "listings": 35, "replaced": 0, "already_there": 24, "failed_checks": 0, "left_for_later": 0}', 1, '2026-11-27 03:06:06.120156+00', '2026-11-27 03:06:06.928082+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'identity', '', 29, '{}', '{"sets": 5, "changed": 0}', 0, '2026-11-27 03:06:06.941741+00', '2026-11-27 03:06:06.991509+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'projects', '', 4, '{}', '{"copies": 6, "merged": 2, "changed": 4, "not_found": 0, "units_changed": 24, "linked_by_name": 11, "linked_by_reference": 13}', 0, '2026-11-27 03:06:06.992754+00', '2026-11-27 03:06:07.015344+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'quality', '', 29, '{}', '{"fences": 0, "flags_changed": 0, "prices_per_sqm": 0}', 0, '2026-11-27 03:06:07.036319+00', '2026-11-27 03:06:07.054184+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'comparison', '', 23, '{}', '{"compared": 23, "far_below": 0}', 0, '2026-11-27 03:06:07.054863+00', '2026-11-27 03:06:07.075173+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'index', '', 29, '{}', '{"deleted": 0, "indexed": 29, "listing.created": 29}', 29, '2026-11-27 03:06:07.708262+00', '2026-11-27 03:06:10.353409+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'history', '', 29, '{}', '{"judged": 0, "rejudged": 0}', 0, '2026-11-27 03:06:07.709442+00', '2026-11-27 03:06:12.41742+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'deals', '', 0, '{}', '{"deleted": 0, "refused": 0, "written": 0}', 0, '2026-11-27 03:06:10.356921+00', '2026-11-27 03:06:14.693286+00');
INSERT INTO public.ingest_run_stages VALUES (1, 'project_index', '', 8, '{}', '{"deleted": 0, "refused": 0, "written": 8}', 0, '2026-11-27 03:06:07.710995+00', '2026-11-27 03:06:16.865424+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'fetch', 'bayt_jadid', 11, '{}', '{"new": 0, "rows": 11, "changed": 0, "relisted": 0, "unchanged": 11, "withdrawn": 0}', 0, '2026-11-27 03:06:17.072824+00', '2026-11-27 03:06:17.098315+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'fetch', 'burj_living', 5, '{}', '{"new": 0, "rows": 5, "changed": 0, "relisted": 0, "unchanged": 5, "withdrawn": 0}', 0, '2026-11-27 03:06:17.100162+00', '2026-11-27 03:06:17.106592+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'fetch', 'masar_projects', 13, '{}', '{"new": 0, "rows": 13, "changed": 0, "relisted": 0, "unchanged": 13, "withdrawn": 0}', 0, '2026-11-27 03:06:17.108006+00', '2026-11-27 03:06:17.118175+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'fetch', 'dalil_mashari/projects', 3, '{}', '{"new": 0, "rows": 3, "changed": 0, "relisted": 0, "unchanged": 3, "withdrawn": 0}', 0, '2026-11-27 03:06:17.119557+00', '2026-11-27 03:06:17.125845+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'fetch', 'masar_projects/projects', 3, '{}', '{"new": 0, "rows": 3, "changed": 0, "relisted": 0, "unchanged": 3, "withdrawn": 0}', 0, '2026-11-27 03:06:17.128171+00', '2026-11-27 03:06:17.13117+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'places', '', 0, '{"split_vote": 0}', '{"by_vote": 0, "by_center": 0, "by_boundary": 0}', 0, '2026-11-27 03:06:17.13456+00', '2026-11-27 03:06:17.141874+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'reposts', '', 0, '{}', '{}', 0, '2026-11-27 03:06:17.142433+00', '2026-11-27 03:06:17.144202+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'identity', '', 0, '{}', '{"sets": 0, "changed": 0}', 0, '2026-11-27 03:06:17.158215+00', '2026-11-27 03:06:17.161513+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'projects', '', 4, '{}', '{"copies": 6, "merged": 2, "changed": 0, "not_found": 0, "units_changed": 0, "linked_by_name": 11, "linked_by_reference": 13}', 0, '2026-11-27 03:06:17.162015+00', '2026-11-27 03:06:17.193392+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'quality', '', 0, '{}', '{"fences": 0, "flags_changed": 0, "prices_per_sqm": 0}', 0, '2026-11-27 03:06:17.225426+00', '2026-11-27 03:06:17.228884+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'comparison', '', 0, '{}', '{"compared": 0, "far_below": 0}', 0, '2026-11-27 03:06:17.229732+00', '2026-11-27 03:06:17.233937+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'history', '', 0, '{}', '{"judged": 0, "rejudged": 0}', 0, '2026-11-27 03:06:17.842494+00', '2026-11-27 03:06:18.045417+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'project_index', '', 0, '{}', '{"deleted": 0, "refused": 0, "written": 0}', 0, '2026-11-27 03:06:17.843333+00', '2026-11-27 03:06:18.203019+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'index', '', 24, '{}', '{"deleted": 0, "indexed": 24}', 29, '2026-11-27 03:06:17.841252+00', '2026-11-27 03:06:20.312879+00');
INSERT INTO public.ingest_run_stages VALUES (2, 'deals', '', 0, '{}', '{"deleted": 0, "refused": 0, "written": 0}', 0, '2026-11-27 03:06:20.326279+00', '2026-11-27 03:06:20.426247+00');


--
-- Data for Name: ingest_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ingest_runs VALUES (1, '2026-03-30 03:00:00+00', 'completed', '{bayt_jadid,burj_living,masar_projects,dalil_mashari/projects,masar_projects/projects}', 'sample', '{}', '2026-11-27 03:06:04.960834+00', '2026-11-27 03:06:16.874855+00', 0, NULL, '5790fa44f41342eda4d0dbf8748ec343');
INSERT INTO public.ingest_runs VALUES (2, '2026-03-31 03:00:00+00', 'completed', '{bayt_jadid,burj_living,masar_projects,dalil_mashari/projects,masar_projects/projects}', 'sample', '{}', '2026-11-27 03:06:17.063078+00', '2026-11-27 03:06:20.429835+00', 0, NULL, '65849920b40d4180be0cad65c6038ce1');


--
-- Data for Name: job_runs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knex_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knex_migrations VALUES (1, '0100_baseline.ts', 1, '2026-11-27 03:05:56.661+00');


--
-- Data for Name: knex_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knex_migrations_lock VALUES (1, 0);


--
-- Data for Name: listing_deals; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: listing_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listing_events VALUES (1, 1, 'evt_15dc5afb70f2b8028bb48353', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 394000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 2, 'evt_0a36be1d0083a8cd91015c0e', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 550000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 3, 'evt_c3678edbeb369c22ae282795', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'office', 3006, 540000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 4, 'evt_44eab353b7fe75c704504b87', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'shop', 3006, 450000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 5, 'evt_0cc3901c1863f387c4773a21', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'duplex', 4006, 855000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 6, 'evt_e0408fcabefd430e161fe912', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'villa', 1008, 1720000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 7, 'evt_0dd5dddde51efa6a163a7c9e', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'villa', 1008, 1945000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 8, 'evt_b1f31c95b7800e95da92de4f', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'townhouse', 1008, 1215000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 9, 'evt_16d3921e0367e05526c5e329', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'townhouse', 1008, 1445000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 10, 'evt_a9b39bb3875364ce1cd5376a', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'villa', 1008, 1805000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 11, 'evt_7f4e29bf7f71bf454f07e8f3', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'villa', 1008, 2065000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 12, 'evt_e7d30a1e85e6c50ad3cf69fe', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'rent', 'apartment', 1008, 39000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 13, 'evt_3f75977792676ee7b917edb4', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'rent', 'apartment', 1001, 43500, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 14, 'evt_56933ca3e606bc796ed475f6', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'rent', 'apartment', 1002, 43500, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 15, 'evt_03731c604701a02c32a5c8a0', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'rent', 'apartment', 1003, 42500, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 16, 'evt_a23ab235c5f5fc93d2a0397f', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'rent', 'apartment', 1007, 41500, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 17, 'evt_8dbaa91e8580f1754140079a', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 545000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 18, 'evt_50e7cf1b7a716a25a4190629', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 720000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 19, 'evt_3e633d6f32c1090d35bc6c78', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 865000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 20, 'evt_b17bc84ac4bbc15df8bb93d5', 'listing.created', 1, '2026-03-30 03:00:00+00', 'riyadh', 'sale', 'apartment', 1002, 405000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 21, 'evt_b730ec366acbef628dd9a96d', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'shop', 3006, 440000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 22, 'evt_3de540b457d07ec1f332e8f4', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'office', 3006, 550000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 23, 'evt_cb85285b0af90cd7348636d4', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'office', 3006, 535000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 24, 'evt_41850884e16bd38028891894', 'listing.created', 1, '2026-03-30 03:00:00+00', 'makkah', 'sale', 'shop', 3006, 475000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 25, 'evt_13e1295ecaece3565dc162ef', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'villa', 4006, 1115000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 26, 'evt_5a631e955a94e264495bb77e', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'villa', 4006, 1285000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 27, 'evt_4cc311ae0447f1b144eac88a', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'duplex', 4006, 970000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 28, 'evt_c1c90bc65dc2a871fd5e20c0', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'villa', 4006, 1165000, NULL, NULL, NULL);
INSERT INTO public.listing_events VALUES (1, 29, 'evt_bf93b33c15b9867ec3ebf779', 'listing.created', 1, '2026-03-30 03:00:00+00', 'madinah', 'sale', 'villa', 4006, 1330000, NULL, NULL, NULL);


--
-- Data for Name: listing_months; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listing_months VALUES (1, 24314, 32767, 'sale', 394000, 24314, 394000, 15, 1);
INSERT INTO public.listing_months VALUES (2, 24314, 32767, 'sale', 550000, 24314, 550000, 15, 1);
INSERT INTO public.listing_months VALUES (3, 24314, 32767, 'sale', 540000, 24314, 540000, 15, 1);
INSERT INTO public.listing_months VALUES (16, 24314, 32767, 'rent', 41500, 24314, 41500, 15, 1);
INSERT INTO public.listing_months VALUES (4, 24314, 32767, 'sale', 450000, 24314, 450000, 15, 1);
INSERT INTO public.listing_months VALUES (17, 24314, 32767, 'sale', 545000, 24314, 545000, 15, 1);
INSERT INTO public.listing_months VALUES (18, 24314, 32767, 'sale', 720000, 24314, 720000, 15, 1);
INSERT INTO public.listing_months VALUES (12, 24314, 32767, 'rent', 39000, 24314, 39000, 15, 1);
INSERT INTO public.listing_months VALUES (13, 24314, 32767, 'rent', 43500, 24314, 43500, 15, 1);
INSERT INTO public.listing_months VALUES (14, 24314, 32767, 'rent', 43500, 24314, 43500, 15, 1);
INSERT INTO public.listing_months VALUES (15, 24314, 32767, 'rent', 42500, 24314, 42500, 15, 1);
INSERT INTO public.listing_months VALUES (5, 24314, 32767, 'sale', 855000, 24314, 855000, 15, 1);
INSERT INTO public.listing_months VALUES (6, 24314, 32767, 'sale', 1720000, 24314, 1720000, 15, 1);
INSERT INTO public.listing_months VALUES (7, 24314, 32767, 'sale', 1945000, 24314, 1945000, 15, 1);
INSERT INTO public.listing_months VALUES (20, 24314, 32767, 'sale', 405000, 24314, 405000, 15, 1);
INSERT INTO public.listing_months VALUES (21, 24314, 32767, 'sale', 440000, 24314, 440000, 15, 1);
INSERT INTO public.listing_months VALUES (8, 24314, 32767, 'sale', 1215000, 24314, 1215000, 15, 1);
INSERT INTO public.listing_months VALUES (9, 24314, 32767, 'sale', 1445000, 24314, 1445000, 15, 1);
INSERT INTO public.listing_months VALUES (10, 24314, 32767, 'sale', 1805000, 24314, 1805000, 15, 1);
INSERT INTO public.listing_months VALUES (11, 24314, 32767, 'sale', 2065000, 24314, 2065000, 15, 1);
INSERT INTO public.listing_months VALUES (19, 24314, 32767, 'sale', 865000, 24314, 865000, 15, 1);
INSERT INTO public.listing_months VALUES (22, 24314, 32767, 'sale', 550000, 24314, 550000, 15, 1);
INSERT INTO public.listing_months VALUES (23, 24314, 32767, 'sale', 535000, 24314, 535000, 15, 1);
INSERT INTO public.listing_months VALUES (24, 24314, 32767, 'sale', 475000, 24314, 475000, 15, 1);
INSERT INTO public.listing_months VALUES (25, 24314, 32767, 'sale', 1115000, 24314, 1115000, 15, 1);
INSERT INTO public.listing_months VALUES (26, 24314, 32767, 'sale', 1285000, 24314, 1285000, 15, 1);
INSERT INTO public.listing_months VALUES (27, 24314, 32767, 'sale', 970000, 24314, 970000, 15, 1);
INSERT INTO public.listing_months VALUES (28, 24314, 32767, 'sale', 1165000, 24314, 1165000, 15, 1);
INSERT INTO public.listing_months VALUES (29, 24314, 32767, 'sale', 1330000, 24314, 1330000, 15, 1);


--
-- Data for Name: listing_prices; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listing_prices VALUES (1, '2026-03-30 03:00:00+00', 394000, 394000);
INSERT INTO public.listing_prices VALUES (2, '2026-03-30 03:00:00+00', 550000, 550000);
INSERT INTO public.listing_prices VALUES (3, '2026-03-30 03:00:00+00', 540000, 540000);
INSERT INTO public.listing_prices VALUES (4, '2026-03-30 03:00:00+00', 450000, 450000);
INSERT INTO public.listing_prices VALUES (5, '2026-03-30 03:00:00+00', 855000, 855000);
INSERT INTO public.listing_prices VALUES (6, '2026-03-30 03:00:00+00', 1720000, 1720000);
INSERT INTO public.listing_prices VALUES (7, '2026-03-30 03:00:00+00', 1945000, 1945000);
INSERT INTO public.listing_prices VALUES (8, '2026-03-30 03:00:00+00', 1215000, 1215000);
INSERT INTO public.listing_prices VALUES (9, '2026-03-30 03:00:00+00', 1445000, 1445000);
INSERT INTO public.listing_prices VALUES (10, '2026-03-30 03:00:00+00', 1805000, 1805000);
INSERT INTO public.listing_prices VALUES (11, '2026-03-30 03:00:00+00', 2065000, 2065000);
INSERT INTO public.listing_prices VALUES (12, '2026-03-30 03:00:00+00', 39000, 39000);
INSERT INTO public.listing_prices VALUES (13, '2026-03-30 03:00:00+00', 43500, 43500);
INSERT INTO public.listing_prices VALUES (14, '2026-03-30 03:00:00+00', 43500, 43500);
INSERT INTO public.listing_prices VALUES (15, '2026-03-30 03:00:00+00', 42500, 42500);
INSERT INTO public.listing_prices VALUES (16, '2026-03-30 03:00:00+00', 41500, 41500);
INSERT INTO public.listing_prices VALUES (17, '2026-03-30 03:00:00+00', 545000, 545000);
INSERT INTO public.listing_prices VALUES (18, '2026-03-30 03:00:00+00', 720000, 720000);
INSERT INTO public.listing_prices VALUES (19, '2026-03-30 03:00:00+00', 865000, 865000);
INSERT INTO public.listing_prices VALUES (20, '2026-03-30 03:00:00+00', 405000, 405000);
INSERT INTO public.listing_prices VALUES (21, '2026-03-30 03:00:00+00', 440000, 440000);
INSERT INTO public.listing_prices VALUES (22, '2026-03-30 03:00:00+00', 550000, 550000);
INSERT INTO public.listing_prices VALUES (23, '2026-03-30 03:00:00+00', 535000, 535000);
INSERT INTO public.listing_prices VALUES (24, '2026-03-30 03:00:00+00', 475000, 475000);
INSERT INTO public.listing_prices VALUES (25, '2026-03-30 03:00:00+00', 1115000, 1115000);
INSERT INTO public.listing_prices VALUES (26, '2026-03-30 03:00:00+00', 1285000, 1285000);
INSERT INTO public.listing_prices VALUES (27, '2026-03-30 03:00:00+00', 970000, 970000);
INSERT INTO public.listing_prices VALUES (28, '2026-03-30 03:00:00+00', 1165000, 1165000);
INSERT INTO public.listing_prices VALUES (29, '2026-03-30 03:00:00+00', 1330000, 1330000);


--
-- Data for Name: listing_publications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listing_publications VALUES (1, 1795748767664296, -6757670153592884763, 3);
INSERT INTO public.listing_publications VALUES (2, 1795748767664306, 9179168898106510278, 3);
INSERT INTO public.listing_publications VALUES (3, 1795748767664316, -3961463952321627905, 3);
INSERT INTO public.listing_publications VALUES (4, 1795748767664326, -2612608561455520802, 3);
INSERT INTO public.listing_publications VALUES (5, 1795748767664336, 3703910015891743969, 3);
INSERT INTO public.listing_publications VALUES (6, 1795748767664346, -6552783923423269069, 3);
INSERT INTO public.listing_publications VALUES (7, 1795748767664356, -7822838486070925374, 3);
INSERT INTO public.listing_publications VALUES (8, 1795748767664366, -3153768850823135892, 3);
INSERT INTO public.listing_publications VALUES (9, 1795748767664376, 5464608630155365370, 3);
INSERT INTO public.listing_publications VALUES (10, 1795748767664386, -4540619388151266410, 3);
INSERT INTO public.listing_publications VALUES (11, 1795748767664396, -6133002344875005626, 3);
INSERT INTO public.listing_publications VALUES (12, 1795748767664406, 6043042178346075240, 3);
INSERT INTO public.listing_publications VALUES (13, 1795748767664416, -7525069341892636857, 3);
INSERT INTO public.listing_publications VALUES (14, 1795748767664426, -5076984875065794045, 3);
INSERT INTO public.listing_publications VALUES (15, 1795748767664436, -6622767575804299896, 3);
INSERT INTO public.listing_publications VALUES (16, 1795748767664446, 5982219463076430606, 3);
INSERT INTO public.listing_publications VALUES (17, 1795748767664456, 6187722879783175963, 3);
INSERT INTO public.listing_publications VALUES (18, 1795748767664466, -4773611123366362085, 3);
INSERT INTO public.listing_publications VALUES (19, 1795748767664476, 5626853074266252719, 3);
INSERT INTO public.listing_publications VALUES (20, 1795748767664486, 2994569956284322656, 3);
INSERT INTO public.listing_publications VALUES (21, 1795748767664496, 3347488164521192577, 3);
INSERT INTO public.listing_publications VALUES (22, 1795748767664506, 8284101808355955327, 3);
INSERT INTO public.listing_publications VALUES (23, 1795748767664516, 4485701518306491468, 3);
INSERT INTO public.listing_publications VALUES (24, 1795748767664526, -7618495180193946428, 3);
INSERT INTO public.listing_publications VALUES (25, 1795748767664536, 3613767768212344765, 3);
INSERT INTO public.listing_publications VALUES (26, 1795748767664546, -2861773997391784223, 3);
INSERT INTO public.listing_publications VALUES (27, 1795748767664556, -6010983427670799145, 3);
INSERT INTO public.listing_publications VALUES (28, 1795748767664566, -2623693626682144646, 3);
INSERT INTO public.listing_publications VALUES (29, 1795748767664576, -882206296273523326, 3);


--
-- Data for Name: listing_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listing_records VALUES (1, 'https://bayt-jadid.example/ads/1001', '{"source":"bayt_jadid","source_listing_id":"1001","title":"شقة للبيع وحدة رقم 1 في ديار الفرسان","description":"شقة رقم 1 بمساحة 69 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":394000,"price_as_posted":{"amount":394000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":1,"bathrooms":1,"area_sqm":69,"livings":null,"floor":"1","age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.823832,"lng":46.637029,"compound_name":null,"project":{"id":null,"name":"ديار الفرسان","developer":"شركة مسارات"},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-8.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (2, 'https://bayt-jadid.example/ads/1006', '{"source":"bayt_jadid","source_listing_id":"1006","title":"شقة للبيع وحدة رقم 6 في ديار الفرسان","description":"شقة رقم 6 بمساحة 97 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":550000,"price_as_posted":{"amount":550000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":2,"bathrooms":1,"area_sqm":97,"livings":null,"floor":"2","age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.824305,"lng":46.637261,"compound_name":null,"project":{"id":null,"name":"مشروع ديار الفرسان","developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-13.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (3, 'https://bayt-jadid.example/ads/2001', '{"source":"bayt_jadid","source_listing_id":"2001","title":"مكتب للبيع وحدة رقم 1 في قصور الياقوت","description":"مكتب رقم 1 بمساحة 100 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"office","price_yearly_sar":540000,"price_as_posted":{"amount":540000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":1,"area_sqm":100,"livings":null,"floor":"1","age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.434089,"lng":39.799547,"compound_name":null,"project":{"id":null,"name":"قصور الياقوت","developer":"شركة راسخ"},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-15.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (4, 'https://bayt-jadid.example/ads/2004', '{"source":"bayt_jadid","source_listing_id":"2004","title":"محل للبيع وحدة رقم 4 في قصور الياقوت","description":"محل رقم 4 بمساحة 61 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"shop","price_yearly_sar":450000,"price_as_posted":{"amount":450000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":null,"area_sqm":61,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.434158,"lng":39.799257,"compound_name":null,"project":{"id":null,"name":"مشروع قصور الياقوت","developer":"شركة راسخ"},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-18.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (5, 'https://bayt-jadid.example/ads/3003', '{"source":"bayt_jadid","source_listing_id":"3003","title":"دوبلكس للبيع وحدة رقم 3 في قصور الوادي","description":"دوبلكس رقم 3 بمساحة 225 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"duplex","price_yearly_sar":855000,"price_as_posted":{"amount":855000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":4,"bathrooms":3,"area_sqm":225,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.45104,"lng":39.614874,"compound_name":null,"project":{"id":null,"name":"قصور الوادي","developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-24.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (6, 'https://bayt-jadid.example/ads/4001', '{"source":"bayt_jadid","source_listing_id":"4001","title":"فيلا للبيع وحدة رقم 1 في روابي الرواد","description":"فيلا رقم 1 بمساحة 252 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1720000,"price_as_posted":{"amount":1720000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":4,"bathrooms":3,"area_sqm":252,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.763202,"lng":46.605729,"compound_name":null,"project":{"id":null,"name":"روابي الرواد","developer":"شركة ثبات"},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-29.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (7, 'https://bayt-jadid.example/ads/4002', '{"source":"bayt_jadid","source_listing_id":"4002","title":"فيلا للبيع وحدة رقم 2 في روابي الرواد","description":"فيلا رقم 2 بمساحة 297 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1945000,"price_as_posted":{"amount":1945000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":5,"bathrooms":5,"area_sqm":297,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.763337,"lng":46.60505,"compound_name":null,"project":{"id":null,"name":"مشروع روابي الرواد","developer":"شركة ثبات"},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-30.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (8, 'https://bayt-jadid.example/ads/4003', '{"source":"bayt_jadid","source_listing_id":"4003","title":"تاون هاوس للبيع وحدة رقم 3 في روابي الرواد","description":"تاون هاوس رقم 3 بمساحة 189 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"townhouse","price_yearly_sar":1215000,"price_as_posted":{"amount":1215000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":3,"bathrooms":2,"area_sqm":189,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.763354,"lng":46.605392,"compound_name":null,"project":{"id":null,"name":"روابي الرواد","developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-31.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (9, 'https://bayt-jadid.example/ads/4004', '{"source":"bayt_jadid","source_listing_id":"4004","title":"تاون هاوس للبيع وحدة رقم 4 في روابي الرواد","description":"تاون هاوس رقم 4 بمساحة 216 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"townhouse","price_yearly_sar":1445000,"price_as_posted":{"amount":1445000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":4,"bathrooms":3,"area_sqm":216,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.763447,"lng":46.605642,"compound_name":null,"project":{"id":null,"name":"مشروع روابي الرواد","developer":"شركة ثبات"},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-32.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (10, 'https://bayt-jadid.example/ads/4005', '{"source":"bayt_jadid","source_listing_id":"4005","title":"فيلا للبيع وحدة رقم 5 في روابي الرواد","description":"فيلا رقم 5 بمساحة 265 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1805000,"price_as_posted":{"amount":1805000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":4,"bathrooms":3,"area_sqm":265,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.763276,"lng":46.605038,"compound_name":null,"project":{"id":null,"name":"روابي الرواد","developer":"شركة ثبات"},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-33.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (11, 'https://bayt-jadid.example/ads/4006', '{"source":"bayt_jadid","source_listing_id":"4006","title":"فيلا للبيع وحدة رقم 6 في روابي الرواد","description":"فيلا رقم 6 بمساحة 312 م²، ضمن مشروع روابي الرواد في حي حطين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":2065000,"price_as_posted":{"amount":2065000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":5,"bathrooms":5,"area_sqm":312,"livings":null,"floor":null,"age_years":null,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.76378,"lng":46.605227,"compound_name":null,"project":{"id":null,"name":"مشروع روابي الرواد","developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p4-0.jpg","http://127.0.0.1:44475/photos/street-34.jpg"],"advertiser_wording":"مكتب عقاري","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (21, 'https://masar-projects.example/ads/U2002', '{"source":"masar_projects","source_listing_id":"U2002","title":"محل للبيع وحدة رقم 2 في قصور الياقوت","description":"محل رقم 2 بمساحة 59 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"shop","price_yearly_sar":440000,"price_as_posted":{"amount":440000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":null,"area_sqm":59,"livings":null,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.433821,"lng":39.799185,"compound_name":null,"project":{"id":"MP-10002","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-16.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (12, 'https://burj-living.example/ads/1000004', '{"source":"burj_living","source_listing_id":"1000004","title":"شقة للإيجار شارع 20 حي حطين","description":"لمحبي السكن الراقي\nشقة للإيجار في حي حطين بالرياض\nضمن برج المها\nالمساحة ١٣٨ متر\nثلاث غرف وصالة وحمامين\nالعمارة هادئة ويسكنها عوائل\nيوجد مكيفات راكبة ومطبخ راكب وبلكونة مطلة وموقف سيارة\nغرفة خادمة مع حمامها\nنوافذ كبيرة وإضاءة طبيعية\nموقع استراتيجي وسهولة الوصول\nتصلح لعرسان أو عائلة صغيرة","description_en":null,"listing_type":"rent","listing_category":"residential","property_type":"apartment","price_yearly_sar":39000,"price_as_posted":{"amount":39000,"frequency":"yearly"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":false,"quarterly":false,"semiannually":false}},"bedrooms":3,"bathrooms":2,"area_sqm":138,"livings":1,"floor":"9","age_years":null,"furnished":false,"street_width_m":20,"amenities":["ac","kitchen","balcony","parking","lift","maid_room"],"from_text":["livings","street_width_m","maid_room"],"city":"riyadh","neighborhood_id":1008,"neighborhood_stated":true,"lat":24.765,"lng":46.605,"compound_name":"برج المها","project":null,"photos":["http://127.0.0.1:44475/photos/tower-4-0.jpg","http://127.0.0.1:44475/photos/street-7.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":"example-developer","verified_by_source":true,"source_updated_at":"2026-03-21T06:13:11Z"}');
INSERT INTO public.listing_records VALUES (13, 'https://burj-living.example/ads/1000005', '{"source":"burj_living","source_listing_id":"1000005","title":"شقة للإيجار شارع 20 حي الملقا","description":"عرض مميز لفترة محدودة . شقة للإيجار في الملقا . ضمن مساكن الواحة . المساحة 125 متر مربع . مكونة من ثلاث غرف وصالة ومطبخ وثلاث دورات مياه . الدور أرضي . غرفة خادمة مع حمامها . صالة معيشة مفتوحة على المطبخ . قريبة من الجامعة والمستشفى . الدفع شهري أو كل ستة أشهر . والله الموفق","description_en":null,"listing_type":"rent","listing_category":"residential","property_type":"apartment","price_yearly_sar":43500,"price_as_posted":{"amount":43500,"frequency":"yearly"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":false,"quarterly":false,"semiannually":false}},"bedrooms":3,"bathrooms":3,"area_sqm":125,"livings":1,"floor":"ground","age_years":null,"furnished":false,"street_width_m":20,"amenities":["ac","kitchen","balcony","parking","lift","maid_room"],"from_text":["livings","street_width_m","maid_room"],"city":"riyadh","neighborhood_id":1001,"neighborhood_stated":true,"lat":24.798777,"lng":46.598036,"compound_name":"مساكن الواحة","project":null,"photos":["http://127.0.0.1:44475/photos/block-5-0.jpg","http://127.0.0.1:44475/photos/street-7.jpg"],"advertiser_wording":"individual_owner","advertiser_type":"individual","advertiser_key":"owner-1001-125","verified_by_source":true,"source_updated_at":"2026-03-19T16:50:51Z"}');
INSERT INTO public.listing_records VALUES (14, 'https://burj-living.example/ads/1000025', '{"source":"burj_living","source_listing_id":"1000025","title":"فرصه شقه للاـيجار الياسمين","description":"شقه للايجار في الياسمين بالرياض\nضمن مساكن الواحه\nالمساحه 125 متر مربع\nثلاث غرف وصاله وثلاث دورات مياه\nعمر العقار 3 سنوات\nواجهه شارع 20 شمالي\nنوافذ كبيره واضاءه طبيعيه\nدقائق عن الطريق الدائري\nالدفع شهري او كل سته اشهر\nللتواصل والمعاينه عبر المنصه","description_en":null,"listing_type":"rent","listing_category":"residential","property_type":"apartment","price_yearly_sar":43500,"price_as_posted":{"amount":43500,"frequency":"yearly"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":false,"quarterly":false,"semiannually":false}},"bedrooms":3,"bathrooms":3,"area_sqm":125,"livings":1,"floor":"ground","age_years":3,"furnished":false,"street_width_m":20,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":["livings","age_years","street_width_m"],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.830353,"lng":46.639328,"compound_name":"مساكن الواحة","project":null,"photos":["http://127.0.0.1:44475/photos/block-25-0.jpg","http://127.0.0.1:44475/photos/street-26.jpg"],"advertiser_wording":"individual_owner","advertiser_type":"individual","advertiser_key":"owner-1002-125","verified_by_source":true,"source_updated_at":"2026-03-04T20:42:23Z"}');
INSERT INTO public.listing_records VALUES (15, 'https://burj-living.example/ads/1000045', '{"source":"burj_living","source_listing_id":"1000045","title":"شقة ثلاث غرف وصالة للإيجار حي النرجس","description":"شقة للإيجار في حي النرجس بالرياض\nضمن مساكن الواحة\nالمساحة ١٢٥ متر\nمكونة من ثلاث غرف وصالة ومطبخ وثلاث دورات مياه\nعلى شارع 20 م\nيوجد مكيفات راكبة ومطبخ راكب وبلكونة مطلة وموقف سيارة\nغرفة نوم ماستر بحمام خاص\nموقع استراتيجي وسهولة الوصول\nالإيجار غير قابل للتفاوض","description_en":null,"listing_type":"rent","listing_category":"residential","property_type":"apartment","price_yearly_sar":42500,"price_as_posted":{"amount":42500,"frequency":"yearly"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":false,"quarterly":false,"semiannually":false}},"bedrooms":3,"bathrooms":3,"area_sqm":125,"livings":null,"floor":"ground","age_years":null,"furnished":false,"street_width_m":20,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":["street_width_m"],"city":"riyadh","neighborhood_id":1003,"neighborhood_stated":true,"lat":24.852426,"lng":46.661487,"compound_name":"مساكن الواحة","project":null,"photos":["http://127.0.0.1:44475/photos/block-45-0.jpg","http://127.0.0.1:44475/photos/street-5.jpg"],"advertiser_wording":"individual_owner","advertiser_type":"individual","advertiser_key":"owner-1003-125","verified_by_source":true,"source_updated_at":"2026-03-19T05:15:40Z"}');
INSERT INTO public.listing_records VALUES (16, 'https://burj-living.example/ads/1000065', '{"source":"burj_living","source_listing_id":"1000065","title":"شقة عوائل للإيجار بالعقيق 125م","description":"مباشر من المالك\n- شقة للإيجار في حي العقيق بالرياض\n- ضمن مساكن الواحة\n- المساحة ١٢٥ متر مربع\n- مكونة من ثلاث غرف وصالة ومطبخ وثلاث دورات مياه\n- شارع عرض 20 متر\n- مصعد وموقف خاص وحارس\n- مكيفات اسبليت راكبة\n- موقع استراتيجي وسهولة الوصول\n- الإيجار غير قابل للتفاوض\n- المعاينة بموعد مسبق","description_en":null,"listing_type":"rent","listing_category":"residential","property_type":"apartment","price_yearly_sar":41500,"price_as_posted":{"amount":41500,"frequency":"yearly"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":false,"quarterly":false,"semiannually":false}},"bedrooms":3,"bathrooms":3,"area_sqm":125,"livings":1,"floor":"ground","age_years":null,"furnished":false,"street_width_m":20,"amenities":["ac","kitchen","balcony","parking","lift","security"],"from_text":["livings","street_width_m","security"],"city":"riyadh","neighborhood_id":1007,"neighborhood_stated":true,"lat":24.776914,"lng":46.629142,"compound_name":"مساكن الواحة","project":null,"photos":["http://127.0.0.1:44475/photos/block-65-0.jpg","http://127.0.0.1:44475/photos/street-37.jpg"],"advertiser_wording":"individual_owner","advertiser_type":"individual","advertiser_key":"owner-1007-125","verified_by_source":true,"source_updated_at":"2026-03-24T14:07:55Z"}');
INSERT INTO public.listing_records VALUES (17, 'https://masar-projects.example/ads/U1002', '{"source":"masar_projects","source_listing_id":"U1002","title":"شقة للبيع وحدة رقم 2 في ديار الفرسان","description":"شقة رقم 2 بمساحة 96 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":545000,"price_as_posted":{"amount":545000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":2,"bathrooms":1,"area_sqm":96,"livings":1,"floor":"1","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.824343,"lng":46.637646,"compound_name":null,"project":{"id":"MP-10001","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-9.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (18, 'https://masar-projects.example/ads/U1003', '{"source":"masar_projects","source_listing_id":"U1003","title":"شقة للبيع وحدة رقم 3 في ديار الفرسان","description":"شقة رقم 3 بمساحة 123 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":720000,"price_as_posted":{"amount":720000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":3,"bathrooms":2,"area_sqm":123,"livings":1,"floor":"1","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.823905,"lng":46.637415,"compound_name":null,"project":{"id":"MP-10001","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-10.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (19, 'https://masar-projects.example/ads/U1004', '{"source":"masar_projects","source_listing_id":"U1004","title":"شقة للبيع وحدة رقم 4 في ديار الفرسان","description":"شقة رقم 4 بمساحة 150 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":865000,"price_as_posted":{"amount":865000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":4,"bathrooms":3,"area_sqm":150,"livings":1,"floor":"1","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.82401,"lng":46.637271,"compound_name":null,"project":{"id":"MP-10001","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-11.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (20, 'https://masar-projects.example/ads/U1005', '{"source":"masar_projects","source_listing_id":"U1005","title":"شقة للبيع وحدة رقم 5 في ديار الفرسان","description":"شقة رقم 5 بمساحة 70 م²، ضمن مشروع ديار الفرسان في حي الياسمين","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"apartment","price_yearly_sar":405000,"price_as_posted":{"amount":405000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":1,"bathrooms":1,"area_sqm":70,"livings":1,"floor":"2","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"riyadh","neighborhood_id":1002,"neighborhood_stated":true,"lat":24.824702,"lng":46.63731,"compound_name":null,"project":{"id":"MP-10001","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-12.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (22, 'https://masar-projects.example/ads/U2003', '{"source":"masar_projects","source_listing_id":"U2003","title":"مكتب للبيع وحدة رقم 3 في قصور الياقوت","description":"مكتب رقم 3 بمساحة 101 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"office","price_yearly_sar":550000,"price_as_posted":{"amount":550000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":1,"area_sqm":101,"livings":null,"floor":"2","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.43396,"lng":39.798888,"compound_name":null,"project":{"id":"MP-10002","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-17.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (23, 'https://masar-projects.example/ads/U2005', '{"source":"masar_projects","source_listing_id":"U2005","title":"مكتب للبيع وحدة رقم 5 في قصور الياقوت","description":"مكتب رقم 5 بمساحة 102 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"office","price_yearly_sar":535000,"price_as_posted":{"amount":535000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":1,"area_sqm":102,"livings":null,"floor":"3","age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.434233,"lng":39.799355,"compound_name":null,"project":{"id":"MP-10002","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-19.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (24, 'https://masar-projects.example/ads/U2006', '{"source":"masar_projects","source_listing_id":"U2006","title":"محل للبيع وحدة رقم 6 في قصور الياقوت","description":"محل رقم 6 بمساحة 64 م²، ضمن مشروع قصور الياقوت في حي الزهراء","description_en":null,"listing_type":"sale","listing_category":"commercial","property_type":"shop","price_yearly_sar":475000,"price_as_posted":{"amount":475000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":null,"bathrooms":null,"area_sqm":64,"livings":null,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"makkah","neighborhood_id":3006,"neighborhood_stated":true,"lat":21.434253,"lng":39.798704,"compound_name":null,"project":{"id":"MP-10002","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-20.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (25, 'https://masar-projects.example/ads/U3001', '{"source":"masar_projects","source_listing_id":"U3001","title":"فيلا للبيع وحدة رقم 1 في قصور الوادي","description":"فيلا رقم 1 بمساحة 288 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1115000,"price_as_posted":{"amount":1115000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":5,"bathrooms":5,"area_sqm":288,"livings":1,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.451237,"lng":39.61435,"compound_name":null,"project":{"id":"MP-10003","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-22.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (26, 'https://masar-projects.example/ads/U3002', '{"source":"masar_projects","source_listing_id":"U3002","title":"فيلا للبيع وحدة رقم 2 في قصور الوادي","description":"فيلا رقم 2 بمساحة 342 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1285000,"price_as_posted":{"amount":1285000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":6,"bathrooms":6,"area_sqm":342,"livings":1,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.451132,"lng":39.614595,"compound_name":null,"project":{"id":"MP-10003","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-23.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (27, 'https://masar-projects.example/ads/U3004', '{"source":"masar_projects","source_listing_id":"U3004","title":"دوبلكس للبيع وحدة رقم 4 في قصور الوادي","description":"دوبلكس رقم 4 بمساحة 252 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"duplex","price_yearly_sar":970000,"price_as_posted":{"amount":970000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":5,"bathrooms":5,"area_sqm":252,"livings":1,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.451255,"lng":39.614586,"compound_name":null,"project":{"id":"MP-10003","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-25.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (28, 'https://masar-projects.example/ads/U3005', '{"source":"masar_projects","source_listing_id":"U3005","title":"فيلا للبيع وحدة رقم 5 في قصور الوادي","description":"فيلا رقم 5 بمساحة 302 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1165000,"price_as_posted":{"amount":1165000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":5,"bathrooms":5,"area_sqm":302,"livings":1,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.451606,"lng":39.615042,"compound_name":null,"project":{"id":"MP-10003","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-26.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');
INSERT INTO public.listing_records VALUES (29, 'https://masar-projects.example/ads/U3006', '{"source":"masar_projects","source_listing_id":"U3006","title":"فيلا للبيع وحدة رقم 6 في قصور الوادي","description":"فيلا رقم 6 بمساحة 359 م²، ضمن مشروع قصور الوادي في حي الجمعة","description_en":null,"listing_type":"sale","listing_category":"residential","property_type":"villa","price_yearly_sar":1330000,"price_as_posted":{"amount":1330000,"frequency":"total"},"financing":{"rent_now_pay_later_monthly_sar":null,"accepts_bank_financing":null,"landlord_payment_plans":{"monthly":null,"quarterly":null,"semiannually":null}},"bedrooms":6,"bathrooms":6,"area_sqm":359,"livings":1,"floor":null,"age_years":0,"furnished":null,"street_width_m":null,"amenities":["ac","kitchen","balcony","parking","lift"],"from_text":[],"city":"madinah","neighborhood_id":4006,"neighborhood_stated":true,"lat":24.451378,"lng":39.615154,"compound_name":null,"project":{"id":"MP-10003","name":null,"developer":null},"photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-27.jpg"],"advertiser_wording":"developer","advertiser_type":"company","advertiser_key":null,"verified_by_source":null,"source_updated_at":null}');


--
-- Data for Name: listings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listings VALUES (1, 'bayt_jadid', '1001', 'j4oND253FUFoi3EjcVPJT-.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 1, 1, NULL, NULL, '1', 69, 394000, 24.823832, 46.637029, 'tgisakxmrXcc3Ll5ZikKX1IxItdvdD7WpvJlxcxvZvhPIo9CLWDAHOyqOj/F9mGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg 11/cfbdeebd076678c777099701db86f5aa454dc2.jpg', '4RFGJIPVIuBsFtWugplTnd', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 394000, false, NULL, 'ديار الفرسان', 'شركة مسارات', 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '1', 1, '{}', false, false, false, 69, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (2, 'bayt_jadid', '1006', 'dEY2cK0uKSTk-gafeA6FpV.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 2, 1, NULL, NULL, '2', 97, 550000, 24.824305, 46.637261, 'tgigqkxmrXcc3Ll5ZikKX1IxItdvdD7WWThlxcxvZvhPIrDUuSazAPa2wa3F9mGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg 03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg', 'cwyXpUQ-tP0c8_lkhDefxF', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 550000, false, NULL, 'مشروع ديار الفرسان', NULL, 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '6', 1, '{}', false, false, false, 97, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (3, 'bayt_jadid', '2001', 'DCZJWurbME-hpRfFUQqXQU.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'office', 'commercial', 3006, NULL, 1, NULL, NULL, '1', 100, 540000, 21.434089, 39.799547, 'tgiiMUxmkNuCZBVOZikKX1IxuMIHUz7WpvJlxRV0Dcq9yB/rLWDAHOyqOj/F9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg 33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg', 'MCmlG1wzVsP_UfcJKrjcix', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 540000, false, NULL, 'قصور الياقوت', 'شركة راسخ', 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '1', 1, '{}', false, false, false, 100, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (16, 'burj_living', '1000065', '-3tXRDZ621LGiCm73e3cgZ.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'rent', 'apartment', 'residential', 1007, 3, 3, 1, NULL, 'ground', 125, 41500, 24.776914, 46.629142, 'rWY4AIfAQQbqqlpUzUmW570nItfj8ajKvkBHBsesc6yj/HkdQVuBNktnVQ0aoUkA', '8fMlGL_BqoLL', '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg 6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg', '8R7XrDnEhnV6D0xG2yxzGz', 0, true, '2026-03-30 03:00:00+00', '2026-03-24 14:07:55+00', true, NULL, NULL, NULL, NULL, '', true, true, 1, 1, 1, false, DEFAULT, 41500, false, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, 1, '{}', false, false, false, 125, NULL, 20, 1, 131127, false, true, true, NULL);
INSERT INTO public.listings VALUES (4, 'bayt_jadid', '2004', 'zWmj8dZXDAEoIPejHel1Q0.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'shop', 'commercial', 3006, NULL, NULL, NULL, NULL, NULL, 61, 450000, 21.434158, 39.799257, 'tgiNIUxmHQ65EHr4ZikKXx827i0HU6RYpvJlxYjth1+9yAovyunAHOGXwa3F9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg', 'FQgxoL41SbpkS6NawV11Ft', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 450000, false, NULL, 'مشروع قصور الياقوت', 'شركة راسخ', 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '4', 1, '{}', false, false, false, 61, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (17, 'masar_projects', 'U1002', 'JvN6ypMA85B3uhruMNoMUw.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 2, 1, 1, 0, '1', 96, 545000, 24.824343, 46.637646, 'KC+gqkxmrXcc3Ll5ZikKX1IxItfnHT7WpvJlxcxvZvjXN70aRvbAHOGX3rLF9mGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg 35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg', 'EF3L-TQ197baCY42hyUu5c', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 545000, false, 'MP-10001', NULL, NULL, 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '2', 1, '{}', false, false, false, 96, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (18, 'masar_projects', 'U1003', 'M92J72VP1hEuQcaziMjgJE.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 3, 2, 1, 0, '1', 123, 720000, 24.823905, 46.637415, 'tgigqkxmrXcc3Py8hw0KX9G8ItdvdD7WpvJlxcxvZvg8Aw9QRvZTjOGXwa3F9mGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg', 'AsFumwkV2hV2-QlaHj1xWV', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 720000, false, 'MP-10001', NULL, NULL, 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '3', 1, '{}', false, false, false, 123, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (12, 'burj_living', '1000004', 'dLduopE3g3N1I34IbWWTgh.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'rent', 'apartment', 'residential', 1008, 3, 2, 1, NULL, '9', 138, 39000, 24.765, 46.605, 'DjEr35T2+jLqqlQ+zUkr28/wItexJajKTLFH3nhGc6zhyXkd6wNoNL5j1EotxheB', 'Hh2Mu1ho-poD', '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg 60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg', 'phHVBawZoh7rm6R9lsCIEy', 0, true, '2026-03-30 03:00:00+00', '2026-03-21 06:13:11+00', true, NULL, NULL, NULL, NULL, '', true, true, 1, 1, 1, false, DEFAULT, 39000, false, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, 1, '{}', false, false, false, 138, NULL, 20, 1, 567, false, true, true, NULL);
INSERT INTO public.listings VALUES (13, 'burj_living', '1000005', 'HGneu_Ge9kei-7WQItD1-1.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'rent', 'apartment', 'residential', 1001, 3, 3, 1, NULL, 'ground', 125, 43500, 24.798777, 46.598036, 'DjE4AICDdA7qqlQ+ZimW5yl4ItdJFpzVEJsy3ouUL1MkE+WM6wOd7s0YVQ0fnAlS', '4bCIFCYvuuHr', 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg 60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg', '3C8Djz8uBeJttI3DvolzTh', 0, true, '2026-03-30 03:00:00+00', '2026-03-19 16:50:51+00', true, NULL, NULL, NULL, NULL, '', true, true, 1, 1, 1, false, DEFAULT, 43500, false, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, 1, '{}', false, false, false, 125, NULL, 20, 1, 567, false, true, true, NULL);
INSERT INTO public.listings VALUES (14, 'burj_living', '1000025', 'H3dGVG94Sw3AMfE46V_3LW.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'rent', 'apartment', 'residential', 1002, 3, 3, 1, 3, 'ground', 125, 43500, 24.830353, 46.639328, 'e7FsSgR9GrfqqlQ+Kh2W56hQIte6qF+5k5Ug/2/BL1PhyQGuRFbHuTvrhWHZx/4x', 'rkeJEgD7E7-W', 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg f8/f5d74ea9030103316ded587324e6920e0f0714.jpg', 'X1HKNt_ReAgcxiRiBvQcMf', 0, true, '2026-03-30 03:00:00+00', '2026-03-04 20:42:23+00', true, NULL, NULL, NULL, NULL, '', true, true, 1, 1, 1, false, DEFAULT, 43500, false, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, 1, '{}', false, false, false, 125, NULL, 20, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (15, 'burj_living', '1000045', 'TAos5ik_3eNiXIufNYnqSy.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'rent', 'apartment', 'residential', 1003, 3, 3, NULL, NULL, 'ground', 125, 42500, 24.852426, 46.661487, 'e7Er34CDQQbqqlQ+zUmW5yl4Itc3dx4xEJujYMesc6yj/Hkd6wNoNMtxVQ0h5Krp', '3ZFg92xd_J_z', 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg 7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg', 'Ltqv6aKg-XlkZs7LcaNFfR', 0, true, '2026-03-30 03:00:00+00', '2026-03-19 05:15:40+00', true, NULL, NULL, NULL, NULL, '', true, true, 1, 1, 1, false, DEFAULT, 42500, false, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, 1, '{}', false, false, false, 125, NULL, 20, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (5, 'bayt_jadid', '3003', 'AKHOLbtUGhPnHWE31ekENu.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'duplex', 'residential', 4006, 4, 3, NULL, NULL, NULL, 225, 855000, 24.45104, 39.614874, 'yAVu/0xmiszBmk7LZiljD2+OiYxjCj7WpvIK76UP3Li9yINPWpPX3eGXwa3F9mGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg', 'W3qZweRPQkSh4LOjPcwwFL', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 855000, false, NULL, 'قصور الوادي', NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '3', 1, '{}', false, false, false, 225, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (6, 'bayt_jadid', '4001', 'BYXrBqUHSa9lVvnUtEcGFX.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'villa', 'residential', 1008, 4, 3, NULL, NULL, NULL, 252, 1720000, 24.763202, 46.605729, 'tghBUUxmNlT/tJQ6n1Hz+984iYxmJT7WZh5lxfvu5+i9yChDLWDAHOyqOj/bWWGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg', 'fTKgHv50RzEFP4eXZ3iUzF', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1720000, false, NULL, 'روابي الرواد', 'شركة ثبات', 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '1', 1, '{}', false, false, false, 252, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (7, 'bayt_jadid', '4002', 'DwmxA_hAqw8dg02x_6lZ1Z.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'villa', 'residential', 1008, 5, 5, NULL, NULL, NULL, 297, 1945000, 24.763337, 46.60505, 'KC/b6kxmFSnbU5Q6n1Hz+6ybiYzplz7WZh5lxfvu5+jXNyhDRvahZorI3rLF9mGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg 01/1dd3678f72497b0be1d05e6661688d221e182f.jpg', 'pgPH7hmsraeUUJrRUP3J1c', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1945000, false, NULL, 'مشروع روابي الرواد', 'شركة ثبات', 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '2', 1, '{}', false, false, false, 297, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (20, 'masar_projects', 'U1005', 'rzUGmcgMInXuZFX7dQ8oMh.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 1, 1, 1, 0, '2', 70, 405000, 24.824702, 46.63731, 'tgigqkxmrXcc3Ll5ZikKXwvbItfJqD7WgeVlxcxvllpPInbIRvbtROGXwa0MeGGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg 31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg', 'z24umkvhmIiPPmO8c8sA1J', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 405000, false, 'MP-10001', NULL, NULL, 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '5', 1, '{}', false, false, false, 70, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (21, 'masar_projects', 'U2002', '_1OmI7cASLV7eN4iJ6elUr.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'shop', 'commercial', 3006, NULL, NULL, NULL, 0, NULL, 59, 440000, 21.433821, 39.799185, 'KC+NIUxmFSm5EHr4ZikKXx827i0HUz7WpvIg7IjttODXN93/yunAHOGX3rLF9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg', 'DTGDWcgSnG7lXLLUBmT4D1', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 440000, false, 'MP-10002', NULL, NULL, 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '2', 1, '{}', false, false, false, 59, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (8, 'bayt_jadid', '4003', 'gZA-D1i83VFTzKjyLv2F7P.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'townhouse', 'residential', 1008, 3, 2, NULL, NULL, NULL, 189, 1215000, 24.763354, 46.605392, 'BJNBUUxmXW8r0Py8n1EKX9hviYwZT7p2TLFlxb3IGe5E4ShDJUiDiorIwa3F9mGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg 11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg', 'RkXcA36swmzTh1mvDqyldb', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1215000, false, NULL, 'روابي الرواد', NULL, 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '3', 1, '{}', false, false, false, 189, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (9, 'bayt_jadid', '4004', 'vvCzgOprBNXTpOXIC2yapS.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'townhouse', 'residential', 1008, 4, 3, NULL, NULL, NULL, 216, 1445000, 24.763447, 46.605642, 'BJPisExmXW8r0JQ6n1HkLvpTiYwZTz7WTLFlxb3Ih19E4ShDJUjAHIrIwa3F9mGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg 17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg', 'lLKx1g1JPlly291RdBt4Lw', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1445000, false, NULL, 'مشروع روابي الرواد', 'شركة ثبات', 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '4', 1, '{}', false, false, false, 216, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (19, 'masar_projects', 'U1004', 'XaH_u-uH_BajWRDHpUVFLy.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'apartment', 'residential', 1002, 4, 3, 1, 0, '1', 150, 865000, 24.82401, 46.637271, 'tgigqkxmrXcc3PCuZikKX1IxItdvdD7WpvJlxcxvh19PIrDUoyzAHOGXwa3F9mGF', NULL, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg', 'dD1TXJ1JV5dFc05zHOlKNn', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 865000, false, 'MP-10001', NULL, NULL, 1, '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', NULL, true, '4', 1, '{}', false, false, false, 150, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (22, 'masar_projects', 'U2003', 'rcHdpQPJZbcoYZ2bAzouJ0.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'office', 'commercial', 3006, NULL, 1, NULL, 0, '2', 101, 550000, 21.43396, 39.798888, 'tgiiMUxmkNu5EPy8ZikKX+GWuMIHUz7WpvJlxRV0Dcq9yOI7pGPAHOGXwa3F9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg', '2KN57AAAqlhQ-ZW2hojO-n', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 550000, false, 'MP-10002', NULL, NULL, 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '3', 1, '{}', false, false, false, 101, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (23, 'masar_projects', 'U2005', 'xCXOOjYDrPHanE8f1MPWgu.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'office', 'commercial', 3006, NULL, 1, NULL, 0, '3', 102, 535000, 21.434233, 39.799355, 'tgi5kkxmkNu5ELLDZikKX1IxuMIHUz7W8F5lxRV0llq9yHbIpGPtROGXwa3F9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg', 'yUVVKkm8jC13pRUTx9WOxO', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 535000, false, 'MP-10002', NULL, NULL, 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '5', 1, '{}', false, false, false, 102, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (24, 'masar_projects', 'U2006', 'O4M4SDgXem-vSNbAKEYSVo.b3fs3M7FzamLHzee6lEjDj', 'makkah', 'sale', 'shop', 'commercial', 3006, NULL, NULL, NULL, 0, NULL, 64, 475000, 21.434253, 39.798704, 'tgiNIUxmHQ65EHr4ZikKXx827i0HUz7WWThlxbgsDcq9yCiAuSag7OGXxPLF9mGF', NULL, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg 21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg', '00fTcENIyv9Fa6gSXi9my9', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 475000, false, 'MP-10002', NULL, NULL, 5, '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', NULL, true, '6', 1, '{}', false, false, false, 64, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (10, 'bayt_jadid', '4005', '3fYOL7Vy7pztj2eCs5yZIM.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'villa', 'residential', 1008, 4, 3, NULL, NULL, NULL, 265, 1805000, 24.763276, 46.605038, 'tgi5kkxmNlQr0JQ6n1Hz+/mQiYzJqD7WZh6w4/vullq9yChDRvbtRIrI77bF9mGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg 4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg', 'IY01Qu-kqVzvf4mP8ubqBQ', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1805000, false, NULL, 'روابي الرواد', 'شركة ثبات', 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '5', 1, '{}', false, false, false, 265, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (11, 'bayt_jadid', '4006', 'NsSPXToieK8kzR3q3nX4N_.b3fs3M7FzamLHzee6lEjDj', 'riyadh', 'sale', 'villa', 'residential', 1008, 5, 5, NULL, NULL, NULL, 312, 2065000, 24.76378, 46.605227, 'tgis1UxmNlQr0JQ6n1Hz+9aQiYwZTz7WZh5lxfvuSTO9yChDYxWzAIrIwa3F9mGF', NULL, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg 9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg', 'q4Ahv-CQKm8MpS58QkL2EQ', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 2065000, false, NULL, 'مشروع روابي الرواد', NULL, 3, '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', NULL, true, '6', 1, '{}', false, false, false, 312, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (25, 'masar_projects', 'U3001', 'jnCq5MMmnUqeuIPxK5Sfwj.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'villa', 'residential', 4006, 5, 5, 1, 0, NULL, 288, 1115000, 24.451237, 39.61435, 'tgh2y0xmiszTZhVOZinz+3mNiYwPsj7WZh5lxfvugsG9yHJbLWDAHOyqOj/F9mGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg c4/5cd419717948d56a880b43a458237cb260a9f4.jpg', 'DVaikWdKqRfPrOqGiyXFB6', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1115000, false, 'MP-10003', NULL, NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '1', 1, '{}', false, false, false, 288, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (26, 'masar_projects', 'U3002', '_TjfVhM1eB4Ds5fJK7LJax.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'villa', 'residential', 4006, 6, 6, 1, 0, NULL, 342, 1285000, 24.451132, 39.614595, 'KC8kmUxmFSnBmhVOZinz+/4ViYwPsj7WZh5lxfvugsHXN3JbWpOAPuGX3rLF9mGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg', 'Aqxwd16ohzZkt-am-PLh3I', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1285000, false, 'MP-10003', NULL, NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '2', 1, '{}', false, false, false, 342, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (27, 'masar_projects', 'U3004', '43Y5tEoeTLuOVkzIppXoEe.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'duplex', 'residential', 4006, 5, 5, 1, 0, NULL, 252, 970000, 24.451255, 39.614586, 'yAX7pExmiszBmvCuZiljD984iYxmJT7WpvIK76UPh1+9yINPWpPX3eGXwa3bWWGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg 2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg', 'vviepkFJEO0AmY4x-Pi7Et', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 970000, false, 'MP-10003', NULL, NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '4', 1, '{}', false, false, false, 252, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (28, 'masar_projects', 'U3005', 'YrUo_rEEXmsN4HPjwDEBZW.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'villa', 'residential', 4006, 5, 5, 1, 0, NULL, 302, 1165000, 24.451606, 39.615042, 'tgi5kkxmiszBmhVOZinz+/4ViYzJqJSHZh5lxfvullq9yHJbWpPtROGXwa3F9mGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg f8/f5d74ea9030103316ded587324e6920e0f0714.jpg', 'r-OUCUtzlKeqNQk6IOt_VI', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1165000, false, 'MP-10003', NULL, NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '5', 1, '{}', false, false, false, 302, NULL, NULL, 1, 55, false, true, true, NULL);
INSERT INTO public.listings VALUES (29, 'masar_projects', 'U3006', 'yyF1dqtneRVTXGPE8X3GWX.b3fs3M7FzamLHzee6lEjDj', 'madinah', 'sale', 'villa', 'residential', 4006, 6, 6, 1, 0, NULL, 359, 1330000, 24.451378, 39.615154, 'tgis1Uxmmh3BmhVOZinz+/4ViYwPsj7WZh5lxfvugsG9yHJbuSazAOGXwa3F9mGF', NULL, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg 80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg', 'c8U_9cDJfNDaaclkZp9mK8', 0, true, '2026-03-30 03:00:00+00', '2026-03-31 03:00:00+00', false, NULL, NULL, NULL, NULL, '', true, true, 2, 2, 1, true, DEFAULT, 1330000, false, 'MP-10003', NULL, NULL, 2, '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', NULL, true, '6', 1, '{}', false, false, false, 359, NULL, NULL, 1, 55, false, true, true, NULL);


--
-- Data for Name: lost_photos; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members OVERRIDING SYSTEM VALUE VALUES (1, 'mem_1eb10e6e798fe8dc89b191e7', 4, 'noura@example.com', 'Noura Al Harbi', 'owner', '2026-11-27 03:06:04.566343+00');
INSERT INTO public.members OVERRIDING SYSTEM VALUE VALUES (2, 'mem_bba5e97616a7f8f1b967b01a', 4, 'faisal@example.com', 'Faisal Al Otaibi', 'admin', '2026-11-27 03:06:04.566343+00');
INSERT INTO public.members OVERRIDING SYSTEM VALUE VALUES (3, 'mem_a44a79e58a267c875143ba11', 4, 'sara@example.com', 'Sara Khan', 'developer', '2026-11-27 03:06:04.566343+00');
INSERT INTO public.members OVERRIDING SYSTEM VALUE VALUES (4, 'mem_0c6465194c9928c6c2c50e82', 4, 'majed@example.com', 'Majed Al Qahtani', 'billing', '2026-11-27 03:06:04.566343+00');
INSERT INTO public.members OVERRIDING SYSTEM VALUE VALUES (5, 'mem_6e6bc5ed2856a65742dd2666', 4, 'lina@example.com', 'Lina Haddad', 'viewer', '2026-11-27 03:06:04.566343+00');


--
-- Data for Name: modification_clock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.modification_clock VALUES (true, 1795748767764286, 1795748767764286, 2);


--
-- Data for Name: off_plan_developer_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.off_plan_developer_keys VALUES ('ar:مسارات', 1);
INSERT INTO public.off_plan_developer_keys VALUES ('ar:امد', 2);
INSERT INTO public.off_plan_developer_keys VALUES ('ar:ثبات', 3);
INSERT INTO public.off_plan_developer_keys VALUES ('en:masarat', 1);
INSERT INTO public.off_plan_developer_keys VALUES ('en:rasik', 4);
INSERT INTO public.off_plan_developer_keys VALUES ('ar:راسخ', 4);
INSERT INTO public.off_plan_developer_keys VALUES ('en:amad', 2);


--
-- Data for Name: off_plan_developers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.off_plan_developers VALUES (1, 'Masarat Real Estate', 'شركة مسارات للتطوير والاستثمار العقاري', '{"display":{"id":1,"name_en":"Masarat Real Estate","name_ar":"شركة مسارات للتطوير والاستثمار العقاري","project_count":1,"projects_by_status":{"planned":0,"under_construction":1,"completed":0},"cities":[{"city":"riyadh","project_count":1}]},"filter":{"id":1,"project_count":1,"city":["riyadh"]}}', 1);
INSERT INTO public.off_plan_developers VALUES (2, 'Amad Development', 'مجموعة أمد', '{"display":{"id":2,"name_en":"Amad Development","name_ar":"مجموعة أمد","project_count":1,"projects_by_status":{"planned":0,"under_construction":1,"completed":0},"cities":[{"city":"madinah","project_count":1}]},"filter":{"id":2,"project_count":1,"city":["madinah"]}}', 1);
INSERT INTO public.off_plan_developers VALUES (3, NULL, 'شركة ثبات العقارية', '{"display":{"id":3,"name_en":null,"name_ar":"شركة ثبات العقارية","project_count":1,"projects_by_status":{"planned":1,"under_construction":0,"completed":0},"cities":[{"city":"riyadh","project_count":1}]},"filter":{"id":3,"project_count":1,"city":["riyadh"]}}', 1);
INSERT INTO public.off_plan_developers VALUES (4, 'Rasikh Real Estate', 'راسخ للتطوير العقاري', '{"display":{"id":4,"name_en":"Rasikh Real Estate","name_ar":"راسخ للتطوير العقاري","project_count":1,"projects_by_status":{"planned":0,"under_construction":1,"completed":0},"cities":[{"city":"makkah","project_count":1}]},"filter":{"id":4,"project_count":1,"city":["makkah"]}}', 1);


--
-- Data for Name: off_plan_projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.off_plan_projects VALUES (1, 1, '{"display":{"id":1,"name_en":"Diyar Al Fursan","name_ar":"ديار الفرسان","developer":{"id":1,"name_en":"Masarat Real Estate","name_ar":"شركة مسارات للتطوير والاستثمار العقاري"},"status":"under_construction","category":"residential","location":{"city":"riyadh","city_name_en":"Riyadh","neighborhood_id":1002,"neighborhood_name_ar":"الياسمين","neighborhood_name_en":"Al Yasmin","lat":24.823758,"lng":46.637136},"price":{"min_sar":396500,"max_sar":1155000},"delivery_date":"2028-03-31","payment_plan":{"down_payment_pct":20,"during_construction_pct":60,"on_delivery_pct":20},"features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"],"unit_types":[{"property_type":"apartment","bedrooms":1,"bathrooms":1,"area_min_sqm":68,"area_max_sqm":90,"price_min_sar":396500,"price_max_sar":525000},{"property_type":"apartment","bedrooms":2,"bathrooms":1,"area_min_sqm":95,"area_max_sqm":126,"price_min_sar":555000,"price_max_sar":735000},{"property_type":"apartment","bedrooms":3,"bathrooms":2,"area_min_sqm":122,"area_max_sqm":162,"price_min_sar":710000,"price_max_sar":945000},{"property_type":"apartment","bedrooms":4,"bathrooms":3,"area_min_sqm":149,"area_max_sqm":198,"price_min_sar":870000,"price_max_sar":1155000}],"images":["41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg","5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg","7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg"],"image_count":3,"source":{"name":"dalil_mashari"},"also_listed_on":["masar_projects"],"first_seen_at":"2026-03-30T03:00:00Z","updated_at":"2026-03-30T03:00:00Z"},"detail":{"description":"ديار الفرسان بحي الياسمين، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":"Diyar Al Fursan is a development by Masarat in Al Yasmin, Riyadh.","boundary":{"type":"Polygon","coordinates":[[[46.638877,24.824519],[46.637405,24.824826],[46.636125,24.824908],[46.635294,24.823758],[46.635946,24.822403],[46.637547,24.822122],[46.638591,24.823122],[46.638877,24.824519]]]},"amenities":["ac","kitchen","parking","lift"]},"filter":{"id":1,"city":"riyadh","neighborhood_id":1002,"status":"under_construction","developer_id":1,"price_min":396500,"price_max":1155000,"delivery":24338,"delivery_day":1838073600000,"features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"],"lat":24.823758,"lng":46.637136,"first_seen_at":1774839600000}}', '{"id":1,"developer_id":1,"status":"under_construction","features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"]}', 1);
INSERT INTO public.off_plan_projects VALUES (2, 2, '{"display":{"id":2,"name_en":"Qusour Al Wadi","name_ar":"قصور الوادي","developer":{"id":2,"name_en":"Amad Development","name_ar":"مجموعة أمد"},"status":"under_construction","category":"residential","location":{"city":"madinah","city_name_en":"Madinah","neighborhood_id":4006,"neighborhood_name_ar":"الجمعة","neighborhood_name_en":"Al Jumuah","lat":24.450609,"lng":39.616087},"price":{"min_sar":855000,"max_sar":1735000},"delivery_date":"2027-09-30","payment_plan":{"down_payment_pct":5,"during_construction_pct":45,"on_delivery_pct":50},"features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"],"unit_types":[{"property_type":"villa","bedrooms":5,"bathrooms":5,"area_min_sqm":288,"area_max_sqm":384,"price_min_sar":1095000,"price_max_sar":1460000},{"property_type":"villa","bedrooms":6,"bathrooms":6,"area_min_sqm":342,"area_max_sqm":456,"price_min_sar":1300000,"price_max_sar":1735000},{"property_type":"duplex","bedrooms":4,"bathrooms":3,"area_min_sqm":225,"area_max_sqm":300,"price_min_sar":855000,"price_max_sar":1140000},{"property_type":"duplex","bedrooms":5,"bathrooms":5,"area_min_sqm":252,"area_max_sqm":336,"price_min_sar":960000,"price_max_sar":1280000}],"images":["74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg","31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg","0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg"],"image_count":3,"source":{"name":"dalil_mashari"},"also_listed_on":["masar_projects"],"first_seen_at":"2026-03-30T03:00:00Z","updated_at":"2026-03-30T03:00:00Z"},"detail":{"description":"قصور الوادي بحي الجمعة، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":"Qusour Al Wadi is a development by Amad in Al Jumuah, Madinah.","boundary":{"type":"Polygon","coordinates":[[[39.616134,24.451921],[39.614993,24.45271],[39.613761,24.452254],[39.613357,24.451262],[39.613703,24.450203],[39.615003,24.449773],[39.615916,24.450698],[39.616134,24.451921]]]},"amenities":["ac","kitchen","parking","lift"]},"filter":{"id":2,"city":"madinah","neighborhood_id":4006,"status":"under_construction","developer_id":2,"price_min":855000,"price_max":1735000,"delivery":24332,"delivery_day":1822262400000,"features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"],"lat":24.450609,"lng":39.616087,"first_seen_at":1774839600000}}', '{"id":2,"developer_id":2,"status":"under_construction","features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"]}', 1);
INSERT INTO public.off_plan_projects VALUES (3, 3, '{"display":{"id":3,"name_en":null,"name_ar":"روابي الرواد","developer":{"id":3,"name_en":null,"name_ar":"شركة ثبات العقارية"},"status":"planned","category":"residential","location":{"city":"riyadh","city_name_en":"Riyadh","neighborhood_id":1008,"neighborhood_name_ar":"حطين","neighborhood_name_en":"Hittin","lat":24.764242,"lng":46.604376},"price":{"min_sar":1255000,"max_sar":2630000},"delivery_date":"2029-12-31","payment_plan":{"down_payment_pct":10,"during_construction_pct":50,"on_delivery_pct":40},"features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"],"unit_types":[{"property_type":"villa","bedrooms":4,"bathrooms":3,"area_min_sqm":252,"area_max_sqm":336,"price_min_sar":1670000,"price_max_sar":2230000},{"property_type":"villa","bedrooms":5,"bathrooms":5,"area_min_sqm":297,"area_max_sqm":396,"price_min_sar":1970000,"price_max_sar":2630000},{"property_type":"townhouse","bedrooms":3,"bathrooms":2,"area_min_sqm":189,"area_max_sqm":252,"price_min_sar":1255000,"price_max_sar":1670000},{"property_type":"townhouse","bedrooms":4,"bathrooms":3,"area_min_sqm":216,"area_max_sqm":288,"price_min_sar":1435000,"price_max_sar":1910000}],"images":["21/39e3de437b575e3cc4dc52883377d22dc55779.jpg","7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg"],"image_count":2,"source":{"name":"dalil_mashari"},"also_listed_on":[],"first_seen_at":"2026-03-30T03:00:00Z","updated_at":"2026-03-30T03:00:00Z"},"detail":{"description":"روابي الرواد بحي حطين، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":null,"boundary":{"type":"Polygon","coordinates":[[[46.605961,24.764935],[46.604757,24.765758],[46.603225,24.765553],[46.602431,24.764242],[46.603531,24.763279],[46.604656,24.76313],[46.60555,24.763729],[46.605961,24.764935]]]},"amenities":["ac","kitchen","lift"]},"filter":{"id":3,"city":"riyadh","neighborhood_id":1008,"status":"planned","developer_id":3,"price_min":1255000,"price_max":2630000,"delivery":24359,"delivery_day":1893369600000,"features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"],"lat":24.764242,"lng":46.604376,"first_seen_at":1774839600000}}', '{"id":3,"developer_id":3,"status":"planned","features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"]}', 1);
INSERT INTO public.off_plan_projects VALUES (5, 4, '{"display":{"id":5,"name_en":"Qusour Al Yaqout","name_ar":"قصور الياقوت","developer":{"id":4,"name_en":"Rasikh Real Estate","name_ar":"راسخ للتطوير العقاري"},"status":"under_construction","category":"commercial","location":{"city":"makkah","city_name_en":"Makkah","neighborhood_id":3006,"neighborhood_name_ar":"الزهراء","neighborhood_name_en":"Al Zahra","lat":21.434235,"lng":39.799271},"price":{"min_sar":445000,"max_sar":700000},"delivery_date":"2027-09-30","payment_plan":{"down_payment_pct":5,"during_construction_pct":45,"on_delivery_pct":50},"features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"],"unit_types":[{"property_type":"office","bedrooms":null,"bathrooms":1,"area_min_sqm":99,"area_max_sqm":132,"price_min_sar":525000,"price_max_sar":700000},{"property_type":"shop","bedrooms":null,"bathrooms":null,"area_min_sqm":59,"area_max_sqm":78,"price_min_sar":445000,"price_max_sar":585000}],"images":["5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg","96/ff9b85cee85720c514533822f344dfd194d863.jpg"],"image_count":2,"source":{"name":"masar_projects"},"also_listed_on":[],"first_seen_at":"2026-03-30T03:00:00Z","updated_at":"2026-03-30T03:00:00Z"},"detail":{"description":"مشروع قصور الياقوت من راسخ في حي الزهراء بمدينة مكة المكرمة.","description_en":"Qusour Al Yaqout is a development by Rasikh in Al Zahra, Makkah.","boundary":{"type":"Polygon","coordinates":[[[39.800889,21.43496],[39.799586,21.435521],[39.798276,21.435396],[39.797999,21.434235],[39.798267,21.433063],[39.799643,21.432717],[39.800447,21.433708],[39.800889,21.43496]]]},"amenities":["ac","kitchen","parking"]},"filter":{"id":5,"city":"makkah","neighborhood_id":3006,"status":"under_construction","developer_id":4,"price_min":445000,"price_max":700000,"delivery":24332,"delivery_day":1822262400000,"features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"],"lat":21.434235,"lng":39.799271,"first_seen_at":1774839600000}}', '{"id":5,"developer_id":4,"status":"under_construction","features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"]}', 1);


--
-- Data for Name: off_plan_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.off_plan_records VALUES (1, 'dalil_mashari', '4001', 'aKva38kobrrt6ZxgX-N4rk.LdhH52Icb_Nc_HD6WhVKzk', NULL, 'ديار الفرسان', NULL, 'شركة مسارات للتطوير والاستثمار العقاري', 'riyadh', 1002, 24.823758, 46.637136, NULL, '{"source_project_id":"4001","name_en":null,"name_ar":"ديار الفرسان","developer_en":null,"developer_ar":"شركة مسارات للتطوير والاستثمار العقاري","status":"under_construction","category":"residential","city":"riyadh","neighborhood_id":1002,"lat":24.823758,"lng":46.637136,"boundary":{"type":"Polygon","coordinates":[[[46.638877,24.824519],[46.637405,24.824826],[46.636125,24.824908],[46.635294,24.823758],[46.635946,24.822403],[46.637547,24.822122],[46.638591,24.823122],[46.638877,24.824519]]]},"price_min_sar":396500,"price_max_sar":1155000,"unit_types":[{"property_type":"apartment","bedrooms":1,"bathrooms":1,"area_min_sqm":68,"area_max_sqm":90,"price_min_sar":396500,"price_max_sar":525000},{"property_type":"apartment","bedrooms":2,"bathrooms":1,"area_min_sqm":95,"area_max_sqm":126,"price_min_sar":555000,"price_max_sar":735000},{"property_type":"apartment","bedrooms":3,"bathrooms":2,"area_min_sqm":122,"area_max_sqm":162,"price_min_sar":710000,"price_max_sar":945000},{"property_type":"apartment","bedrooms":4,"bathrooms":3,"area_min_sqm":149,"area_max_sqm":198,"price_min_sar":870000,"price_max_sar":1155000}],"delivery_date":"2028-03-31","payment_plan":{"down_payment_pct":20,"during_construction_pct":60,"on_delivery_pct":20},"features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"],"amenities":["ac","kitchen","lift"],"description":"ديار الفرسان بحي الياسمين، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":null,"photos":["http://127.0.0.1:44475/photos/tower-p1-1.jpg","http://127.0.0.1:44475/photos/street-2.jpg"],"source_updated_at":null}', '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg 5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg', 'UmFNSGDBHun3xZHx7Mze0P', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);
INSERT INTO public.off_plan_records VALUES (2, 'dalil_mashari', '4003', 'JbuzWW00b6JSXPWJxtrY9Z.LdhH52Icb_Nc_HD6WhVKzk', NULL, 'قصور الوادي', NULL, 'مجموعة أمد', 'madinah', 4006, 24.450609, 39.616087, NULL, '{"source_project_id":"4003","name_en":null,"name_ar":"قصور الوادي","developer_en":null,"developer_ar":"مجموعة أمد","status":"under_construction","category":"residential","city":"madinah","neighborhood_id":4006,"lat":24.450609,"lng":39.616087,"boundary":null,"price_min_sar":855000,"price_max_sar":1735000,"unit_types":[{"property_type":"villa","bedrooms":5,"bathrooms":5,"area_min_sqm":288,"area_max_sqm":384,"price_min_sar":1095000,"price_max_sar":1460000},{"property_type":"villa","bedrooms":6,"bathrooms":6,"area_min_sqm":342,"area_max_sqm":456,"price_min_sar":1300000,"price_max_sar":1735000},{"property_type":"duplex","bedrooms":4,"bathrooms":3,"area_min_sqm":225,"area_max_sqm":300,"price_min_sar":855000,"price_max_sar":1140000},{"property_type":"duplex","bedrooms":5,"bathrooms":5,"area_min_sqm":252,"area_max_sqm":336,"price_min_sar":960000,"price_max_sar":1280000}],"delivery_date":"2027-09-30","payment_plan":{"down_payment_pct":5,"during_construction_pct":45,"on_delivery_pct":50},"features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"],"amenities":["ac","kitchen","lift"],"description":"قصور الوادي بحي الجمعة، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":null,"photos":["http://127.0.0.1:44475/photos/tower-p3-1.jpg","http://127.0.0.1:44475/photos/street-4.jpg"],"source_updated_at":null}', '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg 31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg', 'lxB2767_nu1fm0q_5vMVkJ', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);
INSERT INTO public.off_plan_records VALUES (3, 'dalil_mashari', '4004', '7cUn53nB_lbscW4GsthEsX.LdhH52Icb_Nc_HD6WhVKzk', NULL, 'روابي الرواد', NULL, 'شركة ثبات العقارية', 'riyadh', 1008, 24.764242, 46.604376, NULL, '{"source_project_id":"4004","name_en":null,"name_ar":"روابي الرواد","developer_en":null,"developer_ar":"شركة ثبات العقارية","status":"planned","category":"residential","city":"riyadh","neighborhood_id":1008,"lat":24.764242,"lng":46.604376,"boundary":{"type":"Polygon","coordinates":[[[46.605961,24.764935],[46.604757,24.765758],[46.603225,24.765553],[46.602431,24.764242],[46.603531,24.763279],[46.604656,24.76313],[46.60555,24.763729],[46.605961,24.764935]]]},"price_min_sar":1255000,"price_max_sar":2630000,"unit_types":[{"property_type":"villa","bedrooms":4,"bathrooms":3,"area_min_sqm":252,"area_max_sqm":336,"price_min_sar":1670000,"price_max_sar":2230000},{"property_type":"villa","bedrooms":5,"bathrooms":5,"area_min_sqm":297,"area_max_sqm":396,"price_min_sar":1970000,"price_max_sar":2630000},{"property_type":"townhouse","bedrooms":3,"bathrooms":2,"area_min_sqm":189,"area_max_sqm":252,"price_min_sar":1255000,"price_max_sar":1670000},{"property_type":"townhouse","bedrooms":4,"bathrooms":3,"area_min_sqm":216,"area_max_sqm":288,"price_min_sar":1435000,"price_max_sar":1910000}],"delivery_date":"2029-12-31","payment_plan":{"down_payment_pct":10,"during_construction_pct":50,"on_delivery_pct":40},"features":["mosque","nursery","clinic","retail","restaurants","park","cycling_track","clubhouse","concierge","green_building","waterfront"],"banks":["saudi_national_bank","banque_saudi_fransi","saudi_awwal_bank","arab_national_bank"],"amenities":["ac","kitchen","lift"],"description":"روابي الرواد بحي حطين، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.","description_en":null,"photos":["http://127.0.0.1:44475/photos/tower-p4-1.jpg","http://127.0.0.1:44475/photos/street-5.jpg"],"source_updated_at":null}', '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg 7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg', 'k7zkLfMpiMXqJud2TcvWGx', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);
INSERT INTO public.off_plan_records VALUES (4, 'masar_projects', 'MP-10001', 'vyvyUMj3p562V6HBdGJ59B.LdhH52Icb_Nc_HD6WhVKzk', 'Diyar Al Fursan', 'ديار الفرسان', 'Masarat Real Estate', 'شركة مسارات', 'riyadh', 1002, 24.824179, 46.637316, NULL, '{"source_project_id":"MP-10001","name_en":"Diyar Al Fursan","name_ar":"ديار الفرسان","developer_en":"Masarat Real Estate","developer_ar":"شركة مسارات","status":"under_construction","category":"residential","city":"riyadh","neighborhood_id":1002,"lat":24.824179,"lng":46.637316,"boundary":{"type":"Polygon","coordinates":[[[46.638597,24.824739],[46.637634,24.825444],[46.636447,24.825168],[46.635815,24.824179],[46.636487,24.823235],[46.637601,24.823046],[46.638602,24.823617],[46.638597,24.824739]]]},"price_min_sar":396500,"price_max_sar":1155000,"unit_types":[{"property_type":"apartment","bedrooms":1,"bathrooms":1,"area_min_sqm":68,"area_max_sqm":90,"price_min_sar":396500,"price_max_sar":525000},{"property_type":"apartment","bedrooms":2,"bathrooms":1,"area_min_sqm":95,"area_max_sqm":126,"price_min_sar":555000,"price_max_sar":735000},{"property_type":"apartment","bedrooms":3,"bathrooms":2,"area_min_sqm":122,"area_max_sqm":162,"price_min_sar":710000,"price_max_sar":945000},{"property_type":"apartment","bedrooms":4,"bathrooms":3,"area_min_sqm":149,"area_max_sqm":198,"price_min_sar":870000,"price_max_sar":1155000}],"delivery_date":"2028-03-31","payment_plan":{"down_payment_pct":20,"during_construction_pct":60,"on_delivery_pct":20},"features":["mosque","nursery","clinic","restaurants","park","cycling_track","underground_parking","concierge","smart_systems","green_building","waterfront"],"banks":["al_rajhi_bank","saudi_national_bank","riyad_bank","alinma_bank","bank_albilad","banque_saudi_fransi","saudi_awwal_bank","saudi_investment_bank"],"amenities":["ac","kitchen","parking"],"description":"مشروع ديار الفرسان من مسارات في حي الياسمين بمدينة الرياض.","description_en":"Diyar Al Fursan is a development by Masarat in Al Yasmin, Riyadh.","photos":["http://127.0.0.1:44475/photos/tower-p1-0.jpg","http://127.0.0.1:44475/photos/street-2.jpg"],"source_updated_at":null}', '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg 5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg', 'N8kC3ACrA2pZrpPj1EruWS', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);
INSERT INTO public.off_plan_records VALUES (5, 'masar_projects', 'MP-10002', 'mjrWFvTpM7sP8zah4mKmLp.LdhH52Icb_Nc_HD6WhVKzk', 'Qusour Al Yaqout', 'قصور الياقوت', 'Rasikh Real Estate', 'راسخ للتطوير العقاري', 'makkah', 3006, 21.434235, 39.799271, '7145013414', '{"source_project_id":"MP-10002","name_en":"Qusour Al Yaqout","name_ar":"قصور الياقوت","developer_en":"Rasikh Real Estate","developer_ar":"راسخ للتطوير العقاري","status":"under_construction","category":"commercial","city":"makkah","neighborhood_id":3006,"lat":21.434235,"lng":39.799271,"boundary":{"type":"Polygon","coordinates":[[[39.800889,21.43496],[39.799586,21.435521],[39.798276,21.435396],[39.797999,21.434235],[39.798267,21.433063],[39.799643,21.432717],[39.800447,21.433708],[39.800889,21.43496]]]},"price_min_sar":445000,"price_max_sar":700000,"unit_types":[{"property_type":"office","bedrooms":null,"bathrooms":1,"area_min_sqm":99,"area_max_sqm":132,"price_min_sar":525000,"price_max_sar":700000},{"property_type":"shop","bedrooms":null,"bathrooms":null,"area_min_sqm":59,"area_max_sqm":78,"price_min_sar":445000,"price_max_sar":585000}],"delivery_date":"2027-09-30","payment_plan":{"down_payment_pct":5,"during_construction_pct":45,"on_delivery_pct":50},"features":["mosque","nursery","restaurants","cycling_track","green_building","waterfront","warranty"],"banks":["saudi_national_bank","riyad_bank","bank_aljazira","saudi_investment_bank"],"amenities":["ac","kitchen","parking"],"description":"مشروع قصور الياقوت من راسخ في حي الزهراء بمدينة مكة المكرمة.","description_en":"Qusour Al Yaqout is a development by Rasikh in Al Zahra, Makkah.","photos":["http://127.0.0.1:44475/photos/tower-p2-0.jpg","http://127.0.0.1:44475/photos/street-3.jpg"],"source_updated_at":null}', '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg 96/ff9b85cee85720c514533822f344dfd194d863.jpg', 'ydkrsdpWo98R-Lt-0-Bysg', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);
INSERT INTO public.off_plan_records VALUES (6, 'masar_projects', 'MP-10003', 'dyWkNOv2MAOIiodkLw5KfM.LdhH52Icb_Nc_HD6WhVKzk', 'Qusour Al Wadi', 'مشروع قصور الوادي', 'Amad Development', 'أمد العقارية', 'madinah', 4006, 24.451262, 39.61463, NULL, '{"source_project_id":"MP-10003","name_en":"Qusour Al Wadi","name_ar":"مشروع قصور الوادي","developer_en":"Amad Development","developer_ar":"أمد العقارية","status":"under_construction","category":"residential","city":"madinah","neighborhood_id":4006,"lat":24.451262,"lng":39.61463,"boundary":{"type":"Polygon","coordinates":[[[39.616134,24.451921],[39.614993,24.45271],[39.613761,24.452254],[39.613357,24.451262],[39.613703,24.450203],[39.615003,24.449773],[39.615916,24.450698],[39.616134,24.451921]]]},"price_min_sar":855000,"price_max_sar":1735000,"unit_types":[{"property_type":"villa","bedrooms":5,"bathrooms":5,"area_min_sqm":288,"area_max_sqm":384,"price_min_sar":1095000,"price_max_sar":1460000},{"property_type":"villa","bedrooms":6,"bathrooms":6,"area_min_sqm":342,"area_max_sqm":456,"price_min_sar":1300000,"price_max_sar":1735000},{"property_type":"duplex","bedrooms":4,"bathrooms":3,"area_min_sqm":225,"area_max_sqm":300,"price_min_sar":855000,"price_max_sar":1140000},{"property_type":"duplex","bedrooms":5,"bathrooms":5,"area_min_sqm":252,"area_max_sqm":336,"price_min_sar":960000,"price_max_sar":1280000}],"delivery_date":"2027-09-30","payment_plan":{"down_payment_pct":5,"during_construction_pct":45,"on_delivery_pct":50},"features":["gated_community","mosque","nursery","restaurants","sports_courts","green_building","waterfront"],"banks":["saudi_national_bank","alinma_bank","bank_aljazira"],"amenities":["ac","kitchen","parking"],"description":"مشروع قصور الوادي من أمد في حي الجمعة بمدينة المدينة المنورة.","description_en":"Qusour Al Wadi is a development by Amad in Al Jumuah, Madinah.","photos":["http://127.0.0.1:44475/photos/tower-p3-0.jpg","http://127.0.0.1:44475/photos/street-4.jpg"],"source_updated_at":null}', '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg 31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg', 'PwZuihY42Nl0EecpSBmbqJ', 0, '2026-03-30 03:00:00+00', '2026-03-30 03:00:00+00', NULL, 1, 1, 1);


--
-- Data for Name: official_files; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: official_loads; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: official_rejects; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES (1, 'org_a4cbb941ae2b79eccaea57e2', 'Demo free', 'free', NULL, NULL, NULL, NULL, NULL, NULL, 0.00, NULL, NULL, '{}', 30, true, '2026-11-27 03:06:04.490885+00');
INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES (2, 'org_123576673c417b64b5bae2c2', 'Demo starter', 'starter', NULL, NULL, NULL, NULL, NULL, NULL, 0.00, NULL, NULL, '{}', 30, true, '2026-11-27 03:06:04.505411+00');
INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES (3, 'org_68cc50d9a296482b00c7d63f', 'Demo growth', 'growth', NULL, NULL, NULL, NULL, NULL, NULL, 0.00, NULL, NULL, '{}', 30, true, '2026-11-27 03:06:04.506911+00');
INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES (5, 'org_d92b1b465a3e2ae8afeea958', 'Demo enterprise', 'enterprise', NULL, NULL, NULL, NULL, NULL, NULL, 0.00, NULL, NULL, '{}', 30, true, '2026-11-27 03:06:04.509006+00');
INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES (4, 'org_992beab85e76bd3fcb11d2e9', 'Demo pro', 'pro', NULL, NULL, NULL, NULL, NULL, NULL, 0.00, NULL, NULL, '{}', 30, true, '2026-11-27 03:06:04.507979+00');


--
-- Data for Name: photo_bands; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.photo_bands VALUES (22073, -1007325722662578631, '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg');
INSERT INTO public.photo_bands VALUES (106389, -1007325722662578631, '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg');
INSERT INTO public.photo_bands VALUES (148119, -1007325722662578631, '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg');
INSERT INTO public.photo_bands VALUES (258565, -1007325722662578631, '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg');
INSERT INTO public.photo_bands VALUES (26031, -969862699380546129, '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg');
INSERT INTO public.photo_bands VALUES (94853, -969862699380546129, '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg');
INSERT INTO public.photo_bands VALUES (154371, -969862699380546129, '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg');
INSERT INTO public.photo_bands VALUES (258698, -969862699380546129, '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg');
INSERT INTO public.photo_bands VALUES (60973, 8918064157526388269, '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg');
INSERT INTO public.photo_bands VALUES (127360, 8918064157526388269, '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg');
INSERT INTO public.photo_bands VALUES (152601, 8918064157526388269, '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg');
INSERT INTO public.photo_bands VALUES (228291, 8918064157526388269, '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg');
INSERT INTO public.photo_bands VALUES (39338, 4727365784088844714, '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg');
INSERT INTO public.photo_bands VALUES (84979, 4727365784088844714, '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg');
INSERT INTO public.photo_bands VALUES (195106, 4727365784088844714, '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg');
INSERT INTO public.photo_bands VALUES (213402, 4727365784088844714, '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg');
INSERT INTO public.photo_bands VALUES (7283, -2098174140557812621, '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg');
INSERT INTO public.photo_bands VALUES (88868, -2098174140557812621, '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg');
INSERT INTO public.photo_bands VALUES (182716, -2098174140557812621, '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg');
INSERT INTO public.photo_bands VALUES (254689, -2098174140557812621, '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg');
INSERT INTO public.photo_bands VALUES (14078, 6174521947322398462, '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg');
INSERT INTO public.photo_bands VALUES (81921, 6174521947322398462, '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg');
INSERT INTO public.photo_bands VALUES (151295, 6174521947322398462, '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg');
INSERT INTO public.photo_bands VALUES (218544, 6174521947322398462, '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg');
INSERT INTO public.photo_bands VALUES (22948, 4559087155935467940, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg');
INSERT INTO public.photo_bands VALUES (130452, 4559087155935467940, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg');
INSERT INTO public.photo_bands VALUES (139676, 4559087155935467940, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg');
INSERT INTO public.photo_bands VALUES (212805, 4559087155935467940, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg');
INSERT INTO public.photo_bands VALUES (47569, 2855981282602039761, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg');
INSERT INTO public.photo_bands VALUES (84648, 2855981282602039761, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg');
INSERT INTO public.photo_bands VALUES (162776, 2855981282602039761, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg');
INSERT INTO public.photo_bands VALUES (206754, 2855981282602039761, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg');
INSERT INTO public.photo_bands VALUES (10724, -7839901798138893852, '96/ff9b85cee85720c514533822f344dfd194d863.jpg');
INSERT INTO public.photo_bands VALUES (75772, -7839901798138893852, '96/ff9b85cee85720c514533822f344dfd194d863.jpg');
INSERT INTO public.photo_bands VALUES (135898, -7839901798138893852, '96/ff9b85cee85720c514533822f344dfd194d863.jpg');
INSERT INTO public.photo_bands VALUES (234291, -7839901798138893852, '96/ff9b85cee85720c514533822f344dfd194d863.jpg');
INSERT INTO public.photo_bands VALUES (2503, 7325134067937905095, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg');
INSERT INTO public.photo_bands VALUES (123789, 7325134067937905095, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg');
INSERT INTO public.photo_bands VALUES (137887, 7325134067937905095, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg');
INSERT INTO public.photo_bands VALUES (222632, 7325134067937905095, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg');
INSERT INTO public.photo_bands VALUES (37121, -224878114433167103, '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg');
INSERT INTO public.photo_bands VALUES (122739, -224878114433167103, '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg');
INSERT INTO public.photo_bands VALUES (135819, -224878114433167103, '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg');
INSERT INTO public.photo_bands VALUES (261345, -224878114433167103, '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg');
INSERT INTO public.photo_bands VALUES (13742, -3417973567484119634, '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg');
INSERT INTO public.photo_bands VALUES (84591, -3417973567484119634, '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg');
INSERT INTO public.photo_bands VALUES (191270, -3417973567484119634, '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg');
INSERT INTO public.photo_bands VALUES (250000, -3417973567484119634, '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg');
INSERT INTO public.photo_bands VALUES (40897, 7418350127430672321, '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg');
INSERT INTO public.photo_bands VALUES (66810, 7418350127430672321, '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg');
INSERT INTO public.photo_bands VALUES (149027, 7418350127430672321, '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg');
INSERT INTO public.photo_bands VALUES (222963, 7418350127430672321, '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg');
INSERT INTO public.photo_bands VALUES (43748, 6031330372541983460, 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg');
INSERT INTO public.photo_bands VALUES (113251, 6031330372541983460, 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg');
INSERT INTO public.photo_bands VALUES (169732, 6031330372541983460, 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg');
INSERT INTO public.photo_bands VALUES (218035, 6031330372541983460, 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg');
INSERT INTO public.photo_bands VALUES (18586, 7055405436628781210, 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg');
INSERT INTO public.photo_bands VALUES (68766, 7055405436628781210, 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg');
INSERT INTO public.photo_bands VALUES (185821, 7055405436628781210, 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg');
INSERT INTO public.photo_bands VALUES (221673, 7055405436628781210, 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg');
INSERT INTO public.photo_bands VALUES (54074, 7471553210448597818, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg');
INSERT INTO public.photo_bands VALUES (70967, 7471553210448597818, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg');
INSERT INTO public.photo_bands VALUES (150031, 7471553210448597818, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg');
INSERT INTO public.photo_bands VALUES (223152, 7471553210448597818, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg');
INSERT INTO public.photo_bands VALUES (64568, -650605462067020744, 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg');
INSERT INTO public.photo_bands VALUES (98448, -650605462067020744, 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg');
INSERT INTO public.photo_bands VALUES (169415, -650605462067020744, 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg');
INSERT INTO public.photo_bands VALUES (259832, -650605462067020744, 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg');
INSERT INTO public.photo_bands VALUES (20163, 6193500967376867011, '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg');
INSERT INTO public.photo_bands VALUES (111753, 6193500967376867011, '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg');
INSERT INTO public.photo_bands VALUES (179280, 6193500967376867011, '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg');
INSERT INTO public.photo_bands VALUES (218611, 6193500967376867011, '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg');
INSERT INTO public.photo_bands VALUES (55140, 8171469379438958436, '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg');
INSERT INTO public.photo_bands VALUES (79472, 8171469379438958436, '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg');
INSERT INTO public.photo_bands VALUES (189467, 8171469379438958436, '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg');
INSERT INTO public.photo_bands VALUES (225638, 8171469379438958436, '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg');
INSERT INTO public.photo_bands VALUES (1970, 8116288398486800306, '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg');
INSERT INTO public.photo_bands VALUES (124526, 8116288398486800306, '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg');
INSERT INTO public.photo_bands VALUES (186699, 8116288398486800306, '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg');
INSERT INTO public.photo_bands VALUES (225442, 8116288398486800306, '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg');
INSERT INTO public.photo_bands VALUES (8236, 7341848509642776620, '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg');
INSERT INTO public.photo_bands VALUES (72701, 7341848509642776620, '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg');
INSERT INTO public.photo_bands VALUES (162898, 7341848509642776620, '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg');
INSERT INTO public.photo_bands VALUES (222691, 7341848509642776620, '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg');
INSERT INTO public.photo_bands VALUES (20388, -4447131157578952796, '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg');
INSERT INTO public.photo_bands VALUES (76527, -4447131157578952796, '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg');
INSERT INTO public.photo_bands VALUES (171462, -4447131157578952796, '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg');
INSERT INTO public.photo_bands VALUES (246344, -4447131157578952796, '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg');
INSERT INTO public.photo_bands VALUES (1100, -5270340681116089268, '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg');
INSERT INTO public.photo_bands VALUES (127177, -5270340681116089268, '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg');
INSERT INTO public.photo_bands VALUES (195858, -5270340681116089268, '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg');
INSERT INTO public.photo_bands VALUES (243419, -5270340681116089268, '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg');
INSERT INTO public.photo_bands VALUES (21016, 8369783971696497176, '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg');
INSERT INTO public.photo_bands VALUES (90042, 8369783971696497176, '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg');
INSERT INTO public.photo_bands VALUES (160301, 8369783971696497176, '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg');
INSERT INTO public.photo_bands VALUES (226343, 8369783971696497176, '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg');
INSERT INTO public.photo_bands VALUES (17045, -1555172661366406507, 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg');
INSERT INTO public.photo_bands VALUES (82651, -1555172661366406507, 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg');
INSERT INTO public.photo_bands VALUES (191156, -1555172661366406507, 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg');
INSERT INTO public.photo_bands VALUES (256618, -1555172661366406507, 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg');
INSERT INTO public.photo_bands VALUES (26451, -2985267690459601069, 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg');
INSERT INTO public.photo_bands VALUES (75444, -2985267690459601069, 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg');
INSERT INTO public.photo_bands VALUES (144090, -2985267690459601069, 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg');
INSERT INTO public.photo_bands VALUES (251538, -2985267690459601069, 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg');
INSERT INTO public.photo_bands VALUES (38573, -720471253367417171, 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg');
INSERT INTO public.photo_bands VALUES (88103, -720471253367417171, 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg');
INSERT INTO public.photo_bands VALUES (155446, -720471253367417171, 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg');
INSERT INTO public.photo_bands VALUES (259584, -720471253367417171, 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg');
INSERT INTO public.photo_bands VALUES (54538, 5024403890205152522, 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg');
INSERT INTO public.photo_bands VALUES (113604, 5024403890205152522, 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg');
INSERT INTO public.photo_bands VALUES (148663, 5024403890205152522, 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg');
INSERT INTO public.photo_bands VALUES (214458, 5024403890205152522, 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg');
INSERT INTO public.photo_bands VALUES (28410, -7332556456060096774, '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg');
INSERT INTO public.photo_bands VALUES (111882, -7332556456060096774, '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg');
INSERT INTO public.photo_bands VALUES (165568, -7332556456060096774, '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg');
INSERT INTO public.photo_bands VALUES (236093, -7332556456060096774, '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg');
INSERT INTO public.photo_bands VALUES (47814, 8046307501063977670, '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg');
INSERT INTO public.photo_bands VALUES (98938, 8046307501063977670, '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg');
INSERT INTO public.photo_bands VALUES (145930, 8046307501063977670, '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg');
INSERT INTO public.photo_bands VALUES (225194, 8046307501063977670, '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg');
INSERT INTO public.photo_bands VALUES (29635, -1544853999071497277, '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg');
INSERT INTO public.photo_bands VALUES (68480, -1544853999071497277, '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg');
INSERT INTO public.photo_bands VALUES (168825, -1544853999071497277, '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg');
INSERT INTO public.photo_bands VALUES (256655, -1544853999071497277, '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg');
INSERT INTO public.photo_bands VALUES (40907, 1698736189445873611, 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg');
INSERT INTO public.photo_bands VALUES (90885, 1698736189445873611, 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg');
INSERT INTO public.photo_bands VALUES (139152, 1698736189445873611, 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg');
INSERT INTO public.photo_bands VALUES (202643, 1698736189445873611, 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg');
INSERT INTO public.photo_bands VALUES (18981, 7485292616579566117, 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg');
INSERT INTO public.photo_bands VALUES (121620, 7485292616579566117, 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg');
INSERT INTO public.photo_bands VALUES (137721, 7485292616579566117, 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg');
INSERT INTO public.photo_bands VALUES (223201, 7485292616579566117, 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg');
INSERT INTO public.photo_bands VALUES (50453, 6868022072833131797, '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg');
INSERT INTO public.photo_bands VALUES (121026, 6868022072833131797, '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg');
INSERT INTO public.photo_bands VALUES (138671, 6868022072833131797, '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg');
INSERT INTO public.photo_bands VALUES (221008, 6868022072833131797, '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg');
INSERT INTO public.photo_bands VALUES (9537, -1087060111947389631, 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg');
INSERT INTO public.photo_bands VALUES (94689, -1087060111947389631, 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg');
INSERT INTO public.photo_bands VALUES (195734, -1087060111947389631, 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg');
INSERT INTO public.photo_bands VALUES (258281, -1087060111947389631, 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg');
INSERT INTO public.photo_bands VALUES (31178, -3099285682493687350, 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg');
INSERT INTO public.photo_bands VALUES (109954, -3099285682493687350, 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg');
INSERT INTO public.photo_bands VALUES (139287, -3099285682493687350, 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg');
INSERT INTO public.photo_bands VALUES (251133, -3099285682493687350, 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg');
INSERT INTO public.photo_bands VALUES (13957, 4968585751401215621, 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg');
INSERT INTO public.photo_bands VALUES (101462, 4968585751401215621, 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg');
INSERT INTO public.photo_bands VALUES (194154, 4968585751401215621, 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg');
INSERT INTO public.photo_bands VALUES (214259, 4968585751401215621, 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg');
INSERT INTO public.photo_bands VALUES (8923, -2096220300248866085, '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg');
INSERT INTO public.photo_bands VALUES (82100, -2096220300248866085, '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg');
INSERT INTO public.photo_bands VALUES (178878, -2096220300248866085, '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg');
INSERT INTO public.photo_bands VALUES (254696, -2096220300248866085, '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg');
INSERT INTO public.photo_bands VALUES (11935, 8242142312152379039, 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg');
INSERT INTO public.photo_bands VALUES (106511, 8242142312152379039, 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg');
INSERT INTO public.photo_bands VALUES (194755, 8242142312152379039, 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg');
INSERT INTO public.photo_bands VALUES (225889, 8242142312152379039, 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg');
INSERT INTO public.photo_bands VALUES (59472, -1098318347390752688, 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg');
INSERT INTO public.photo_bands VALUES (81274, -1098318347390752688, 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg');
INSERT INTO public.photo_bands VALUES (195912, -1098318347390752688, 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg');
INSERT INTO public.photo_bands VALUES (258241, -1098318347390752688, 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg');
INSERT INTO public.photo_bands VALUES (6807, 8356083750425205399, '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg');
INSERT INTO public.photo_bands VALUES (67970, 8356083750425205399, '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg');
INSERT INTO public.photo_bands VALUES (181734, 8356083750425205399, '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg');
INSERT INTO public.photo_bands VALUES (226294, 8356083750425205399, '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg');
INSERT INTO public.photo_bands VALUES (54399, -5709837566089112449, '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg');
INSERT INTO public.photo_bands VALUES (87059, -5709837566089112449, '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg');
INSERT INTO public.photo_bands VALUES (169212, -5709837566089112449, '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg');
INSERT INTO public.photo_bands VALUES (241858, -5709837566089112449, '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg');


--
-- Data for Name: photo_checks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: photo_images; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.photo_images VALUES ('41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg', -1007325722662578631, '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg');
INSERT INTO public.photo_images VALUES ('5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg', -969862699380546129, '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg');
INSERT INTO public.photo_images VALUES ('74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg', 8918064157526388269, '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg');
INSERT INTO public.photo_images VALUES ('31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg', 4727365784088844714, '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg');
INSERT INTO public.photo_images VALUES ('21/39e3de437b575e3cc4dc52883377d22dc55779.jpg', -2098174140557812621, '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg');
INSERT INTO public.photo_images VALUES ('7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg', 6174521947322398462, '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg');
INSERT INTO public.photo_images VALUES ('7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg', 4559087155935467940, '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg');
INSERT INTO public.photo_images VALUES ('5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg', 2855981282602039761, '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg');
INSERT INTO public.photo_images VALUES ('96/ff9b85cee85720c514533822f344dfd194d863.jpg', -7839901798138893852, '96/ff9b85cee85720c514533822f344dfd194d863.jpg');
INSERT INTO public.photo_images VALUES ('0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg', 7325134067937905095, '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg');
INSERT INTO public.photo_images VALUES ('11/cfbdeebd076678c777099701db86f5aa454dc2.jpg', -224878114433167103, '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg');
INSERT INTO public.photo_images VALUES ('03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg', -3417973567484119634, '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg');
INSERT INTO public.photo_images VALUES ('33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg', 7418350127430672321, '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg');
INSERT INTO public.photo_images VALUES ('f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg', 6031330372541983460, 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg');
INSERT INTO public.photo_images VALUES ('cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg', 7055405436628781210, 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg');
INSERT INTO public.photo_images VALUES ('93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg', 7471553210448597818, '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg');
INSERT INTO public.photo_images VALUES ('e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg', -650605462067020744, 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg');
INSERT INTO public.photo_images VALUES ('01/1dd3678f72497b0be1d05e6661688d221e182f.jpg', 6193500967376867011, '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg');
INSERT INTO public.photo_images VALUES ('11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg', 8171469379438958436, '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg');
INSERT INTO public.photo_images VALUES ('17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg', 8116288398486800306, '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg');
INSERT INTO public.photo_images VALUES ('4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg', 7341848509642776620, '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg');
INSERT INTO public.photo_images VALUES ('9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg', -4447131157578952796, '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg');
INSERT INTO public.photo_images VALUES ('94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg', -5270340681116089268, '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg');
INSERT INTO public.photo_images VALUES ('60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg', 8369783971696497176, '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg');
INSERT INTO public.photo_images VALUES ('a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg', -1555172661366406507, 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg');
INSERT INTO public.photo_images VALUES ('b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg', -2985267690459601069, 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg');
INSERT INTO public.photo_images VALUES ('f8/f5d74ea9030103316ded587324e6920e0f0714.jpg', -720471253367417171, 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg');
INSERT INTO public.photo_images VALUES ('b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg', 5024403890205152522, 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg');
INSERT INTO public.photo_images VALUES ('83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg', -7332556456060096774, '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg');
INSERT INTO public.photo_images VALUES ('6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg', 8046307501063977670, '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg');
INSERT INTO public.photo_images VALUES ('35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg', -1544853999071497277, '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg');
INSERT INTO public.photo_images VALUES ('cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg', 1698736189445873611, 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg');
INSERT INTO public.photo_images VALUES ('df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg', 7485292616579566117, 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg');
INSERT INTO public.photo_images VALUES ('31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg', 6868022072833131797, '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg');
INSERT INTO public.photo_images VALUES ('c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg', -1087060111947389631, 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg');
INSERT INTO public.photo_images VALUES ('c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg', -3099285682493687350, 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg');
INSERT INTO public.photo_images VALUES ('c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg', 4968585751401215621, 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg');
INSERT INTO public.photo_images VALUES ('21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg', -2096220300248866085, '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg');
INSERT INTO public.photo_images VALUES ('c4/5cd419717948d56a880b43a458237cb260a9f4.jpg', 8242142312152379039, 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg');
INSERT INTO public.photo_images VALUES ('a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg', -1098318347390752688, 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg');
INSERT INTO public.photo_images VALUES ('2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg', 8356083750425205399, '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg');
INSERT INTO public.photo_images VALUES ('80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg', -5709837566089112449, '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg');


--
-- Data for Name: photos; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.photos VALUES ('mdUPMOY3_UtCtQuWtcyPrL', 'stored', '41/b0ec1b019160e7d6bd7f61f5e0bc038cbb578d.jpg', 1, 1, NULL, false, '"512178249"', NULL);
INSERT INTO public.photos VALUES ('7quC3X4k6szTIS9nfSklwl', 'stored', '5c/32c17c82967eed9d9b3ccb2e7fd77e247f7eaa.jpg', 1, 1, NULL, false, '"3550748200"', NULL);
INSERT INTO public.photos VALUES ('sMWjRq5PvxiFqxQUYLfmIp', 'stored', '74/ede071533ae3c13a8b8f1b0cc221c723eaeda3.jpg', 1, 1, NULL, false, '"2250176943"', NULL);
INSERT INTO public.photos VALUES ('p8yz2O-_caJ7CVSxi-a8uW', 'stored', '31/c9b0e81a9d999ba360f2fd743399b010aa16bd.jpg', 1, 1, NULL, false, '"2998363034"', NULL);
INSERT INTO public.photos VALUES ('2wRGysQXWmw1YiEDPIlUol', 'stored', '21/39e3de437b575e3cc4dc52883377d22dc55779.jpg', 1, 1, NULL, false, '"2964773354"', NULL);
INSERT INTO public.photos VALUES ('53H9M-wbkBlSJ4c_tRY2kx', 'stored', '96/ff9b85cee85720c514533822f344dfd194d863.jpg', 1, 1, NULL, false, '"2949413111"', NULL);
INSERT INTO public.photos VALUES ('fXvoUocWlUPC1wn23_Vcc5', 'stored', '7e/be7948012b3ff4083853cfbe4a7663b5fe2918.jpg', 1, 1, NULL, false, '"405634522"', NULL);
INSERT INTO public.photos VALUES ('oLjWKfupl_juL2pNmYg7WO', 'stored', '11/cfbdeebd076678c777099701db86f5aa454dc2.jpg', 1, 1, NULL, false, '"1337527094"', NULL);
INSERT INTO public.photos VALUES ('vd_YiG1ywSL89PaLR1pDHH', 'stored', '03/f1c11a83ff299d55809831c1bfe82b9c7b5906.jpg', 1, 1, NULL, false, '"1792620872"', NULL);
INSERT INTO public.photos VALUES ('HWu3hEKipbNJD5pj70Zsth', 'stored', '5e/ea54caec26b66c59fad637422bc2a5ea4796ac.jpg', 1, 1, NULL, false, '"2925566875"', NULL);
INSERT INTO public.photos VALUES ('YeoP5cpaey01AMegDjuVn5', 'stored', '33/b08ae51a97b512d2484fd2f3fd02607144286f.jpg', 1, 1, NULL, false, '"1145366842"', NULL);
INSERT INTO public.photos VALUES ('pMiei3Kt6WNR0sEWyzaY2c', 'stored', 'f4/e711cd5f4c7ba12f69081d3556b12aa1fa2a1b.jpg', 1, 1, NULL, false, '"4047151621"', NULL);
INSERT INTO public.photos VALUES ('dcIwj4wei5A8LRUk_2Cjyy', 'stored', '0c/ed9e53f755ab6c501c0876eb0cec500d232140.jpg', 1, 1, NULL, false, '"914562048"', NULL);
INSERT INTO public.photos VALUES ('Y_8PwZELKYKhwoc-_uvXSX', 'stored', 'cc/e55a403ac65a4bf0b31150eb5d6aa22dba8618.jpg', 1, 1, NULL, false, '"301611266"', NULL);
INSERT INTO public.photos VALUES ('fLSbdkCQTPhIJri9UbPFJG', 'stored', '93/ca72ff0fed91a0af8ca2ba0a3cbc231550794c.jpg', 1, 1, NULL, false, '"2652768921"', NULL);
INSERT INTO public.photos VALUES ('kxf57Xx5WM8__GC4s98X85', 'stored', 'e8/dfff9c6d7bb8440c1af458707aba23099a99db.jpg', 1, 1, NULL, false, '"4068535453"', NULL);
INSERT INTO public.photos VALUES ('WHE0rEIKih4P-TgJVJZSqt', 'stored', '01/1dd3678f72497b0be1d05e6661688d221e182f.jpg', 1, 1, NULL, false, '"3930948963"', NULL);
INSERT INTO public.photos VALUES ('XPJC1URqMmlYAZhh3GGYys', 'stored', '11/49ca800f4df57e6b9256886d59be9e9cd43ce2.jpg', 1, 1, NULL, false, '"4200690260"', NULL);
INSERT INTO public.photos VALUES ('QuySXq1u5vbeKYAwbpj4yD', 'stored', '17/0674eaa7424f4b726f1b83c3b75f7020569dc3.jpg', 1, 1, NULL, false, '"1815277897"', NULL);
INSERT INTO public.photos VALUES ('6YC1OdMS9L9fVrW7Bo5c7B', 'stored', '4c/c4897db938c138c5777c44b838846d7d7e1e06.jpg', 1, 1, NULL, false, '"1708734170"', NULL);
INSERT INTO public.photos VALUES ('rZElWtOBfWPjXgKt0paPyV', 'stored', '9a/e8e63c14ef8d69d5315531fd7a1dcc89b6a695.jpg', 1, 1, NULL, false, '"2125818423"', NULL);
INSERT INTO public.photos VALUES ('GcTQARpZLXsAvLI_g0cCUG', 'stored', '94/aea2dd19a045c6f8174ee1f5200c23815d2819.jpg', 1, 1, NULL, false, '"1224469871"', NULL);
INSERT INTO public.photos VALUES ('Yiso5SNXlBf_RVzKHyxwsj', 'stored', '60/cb0070e28815a04bb3442c1e5cfd7005c053bc.jpg', 1, 1, NULL, false, '"459576355"', NULL);
INSERT INTO public.photos VALUES ('7OrTayVWplWsNcHARrwLMX', 'stored', 'a8/ac7faeededcff682c23a194e941ce328ee5d1a.jpg', 1, 1, NULL, false, '"834579892"', NULL);
INSERT INTO public.photos VALUES ('f59Zod0QhQLSn2qkv3dj1V', 'stored', 'b6/97068f31264a6a4a2db937bcf05251380dacf4.jpg', 1, 1, NULL, false, '"1102932372"', NULL);
INSERT INTO public.photos VALUES ('RtH9HeMdpg4WLzQ7UZ8EEv', 'stored', 'f8/f5d74ea9030103316ded587324e6920e0f0714.jpg', 1, 1, NULL, false, '"3986137532"', NULL);
INSERT INTO public.photos VALUES ('_usVVC45-sat5_QJ_4c0qL', 'stored', 'b8/1c0d34df5ac357e7aec2238f259573f3a6c11e.jpg', 1, 1, NULL, false, '"3537790450"', NULL);
INSERT INTO public.photos VALUES ('W9QvjlapQHTIGV2bCsMR7i', 'stored', '7f/ac97d46cd70277742f10d7c773c1abd8cf0efb.jpg', 1, 1, NULL, false, '"2638975753"', NULL);
INSERT INTO public.photos VALUES ('Sws8F7GVqm813tiGvciZvE', 'stored', '83/50001083c991e7dd2416e50bcf871a8f62aa6f.jpg', 1, 1, NULL, false, '"2781149856"', NULL);
INSERT INTO public.photos VALUES ('ZSU5E2gzeDBXUqtiuGLHMX', 'stored', '6d/7629cc46b4c0f8456c37b8b4c617c813faa987.jpg', 1, 1, NULL, false, '"2384897710"', NULL);
INSERT INTO public.photos VALUES ('CiP7IpDcI1Ik-owWjPtCDl', 'stored', '35/98e56e1f0cbdc33dbc859dbae1c51e757c64a0.jpg', 1, 1, NULL, false, '"1605180517"', NULL);
INSERT INTO public.photos VALUES ('N8dEO_YY09nLw8moxUPj5A', 'stored', 'cd/913675ad8f0aafe48718a8c11fe0b98f98b2ba.jpg', 1, 1, NULL, false, '"441843165"', NULL);
INSERT INTO public.photos VALUES ('wFGQmhheH2eW1fjditIYm8', 'stored', 'df/172c854fe5d95e2db84f2acaf20578025d93c8.jpg', 1, 1, NULL, false, '"1408891534"', NULL);
INSERT INTO public.photos VALUES ('UfBqAjrj8VZ1Wrgdhp7lxi', 'stored', '31/e887dd45d006ddd32b37d78d9ab53a5202147b.jpg', 1, 1, NULL, false, '"1520977559"', NULL);
INSERT INTO public.photos VALUES ('tfc0EYPXvD0OSCPwQBgjs-', 'stored', 'c5/518d31b7d981f09ff98d21d3016955cf4fb829.jpg', 1, 1, NULL, false, '"3367581635"', NULL);
INSERT INTO public.photos VALUES ('M21EHjjEyVoiG2RvowLrXy', 'stored', 'c3/b3528eee777d2e90cda7a8aaa74b2723d0b3ca.jpg', 1, 1, NULL, false, '"3266260788"', NULL);
INSERT INTO public.photos VALUES ('_5MC8N3p2mrVN38_2ElaWU', 'stored', 'c9/fbde96d8e8dd515caf9dfc34c38ee2cbe75a44.jpg', 1, 1, NULL, false, '"3832790358"', NULL);
INSERT INTO public.photos VALUES ('X0-031VEvLVWX89qynaUT3', 'stored', '21/f3f63f8ce4495f8e9fd32d3e84df4a8642e3cf.jpg', 1, 1, NULL, false, '"3123041814"', NULL);
INSERT INTO public.photos VALUES ('v33kQr_NY9abEXASeKG-yG', 'stored', 'c4/5cd419717948d56a880b43a458237cb260a9f4.jpg', 1, 1, NULL, false, '"373243088"', NULL);
INSERT INTO public.photos VALUES ('amXKZX321q4z3_iyubO5CQ', 'stored', 'a4/a1de2006a162e59c8cc249d3937b99febd21b5.jpg', 1, 1, NULL, false, '"216439039"', NULL);
INSERT INTO public.photos VALUES ('OdSzPutdw8txtU_N4KREpo', 'stored', '2f/445dd06fea9cdab0f21f98449289d6e59443af.jpg', 1, 1, NULL, false, '"403035281"', NULL);
INSERT INTO public.photos VALUES ('rdsu2UH-_xVbjGFhX3cIOw', 'stored', '80/4f58baae495f542ba93ee36d2c6d770b9aa55d.jpg', 1, 1, NULL, false, '"3674133099"', NULL);


--
-- Data for Name: plans; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.plans VALUES ('free', 0, 30, 250, 25, 500, 5, 1, '{reference,listings,official}', false, 0.0000, 90, false);
INSERT INTO public.plans VALUES ('starter', 1, 60, 50000, 50, 5000, 25, 5, '{reference,listings,official,market}', true, 6.0000, NULL, true);
INSERT INTO public.plans VALUES ('growth', 2, 150, 200000, 100, 5000, 25, 10, '{reference,listings,official,market,analytics}', true, 5.0000, NULL, true);
INSERT INTO public.plans VALUES ('pro', 3, 300, 750000, 100, 20000, 25, 25, '{reference,listings,official,market,analytics,projects}', true, 4.0000, NULL, true);
INSERT INTO public.plans VALUES ('enterprise', 4, 60000, NULL, 100, 100000, 100, 100, '{reference,listings,official,exports,market,analytics,projects}', false, 0.0000, NULL, true);


--
-- Data for Name: price_index; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.projects OVERRIDING SYSTEM VALUE VALUES (1, 'prj_d8e98babff3142042ee6931c', 4, 'Website', 500000, '2026-11-27 03:06:04.566343+00');
INSERT INTO public.projects OVERRIDING SYSTEM VALUE VALUES (2, 'prj_13ba86957f8d050e995b8a64', 4, 'Reports', 50000, '2026-11-27 03:06:04.566343+00');


--
-- Data for Name: property_index_releases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: property_index_series; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: quality_fences; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rate_windows; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: registered_rents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: replaced_photos; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2026_08; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2026_09; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2026_10; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2026_12; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: request_logs_2027_01; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: restores; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sales_indicators; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: schema_contracts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_contracts VALUES (100, '0100_baseline.ts', '2026-11-27 03:05:56.41697+00');


--
-- Data for Name: schema_functions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_functions VALUES (true, 100, '5d36d90dc3d07b3e8cfa17079bb8c539d55263f951701af3e58225c5bbd7af70');


--
-- Data for Name: served_indexes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.served_indexes VALUES ('transactions', 'dumped1795748756258_transactions-20261127t030601597', 0, NULL, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:02.014455+00');
INSERT INTO public.served_indexes VALUES ('webhooks', 'dumped1795748756258_webhooks-20261127t030603136', 0, NULL, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:04.346473+00');
INSERT INTO public.served_indexes VALUES ('history', 'dumped1795748756258_history-20261127t030608079', 29, 2, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:18.045417+00');
INSERT INTO public.served_indexes VALUES ('projects', 'dumped1795748756258_projects-20261127t030608075', 4, 2, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:18.203019+00');
INSERT INTO public.served_indexes VALUES ('developers', 'dumped1795748756258_developers-20261127t030612105', 4, 2, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:18.203019+00');
INSERT INTO public.served_indexes VALUES ('listings', 'dumped1795748756258_listings-20261127t030559904', 29, 2, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:20.312879+00');
INSERT INTO public.served_indexes VALUES ('deals', 'dumped1795748756258_deals-20261127t030610531', 0, 2, NULL, NULL, 0, NULL, NULL, '2026-11-27 03:06:20.426247+00');


--
-- Data for Name: source_states; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.source_states VALUES ('bayt_jadid', 2, '2026-03-31 03:00:00+00', 11, NULL, NULL, false, NULL, NULL, true);
INSERT INTO public.source_states VALUES ('burj_living', 2, '2026-03-31 03:00:00+00', 5, NULL, NULL, false, NULL, NULL, true);
INSERT INTO public.source_states VALUES ('masar_projects', 2, '2026-03-31 03:00:00+00', 13, NULL, NULL, false, NULL, NULL, true);
INSERT INTO public.source_states VALUES ('dalil_mashari/projects', 2, '2026-03-31 03:00:00+00', 3, NULL, NULL, false, NULL, NULL, true);
INSERT INTO public.source_states VALUES ('masar_projects/projects', 2, '2026-03-31 03:00:00+00', 3, NULL, NULL, false, NULL, NULL, true);


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: unit_counters; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_days; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_attempts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_endpoints; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_remains; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: api_keys_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.api_keys_id_seq', 7, true);


--
-- Name: audit_events_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_events_id_seq', 7, true);


--
-- Name: exports_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.exports_id_seq', 1, false);


--
-- Name: knex_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.knex_migrations_id_seq', 1, true);


--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.knex_migrations_lock_index_seq', 1, true);


--
-- Name: mails_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.mails_id_seq', 1, false);


--
-- Name: members_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.members_id_seq', 5, true);


--
-- Name: official_files_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.official_files_id_seq', 1, false);


--
-- Name: official_loads_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.official_loads_id_seq', 1, false);


--
-- Name: organizations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.organizations_id_seq', 7, true);


--
-- Name: projects_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.projects_id_seq', 2, true);


--
-- Name: request_logs_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.request_logs_id_seq', 1, false);


--
-- Name: restores_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.restores_id_seq', 1, false);


--
-- Name: webhook_deliveries_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.webhook_deliveries_id_seq', 1, false);


--
-- Name: webhook_endpoints_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.webhook_endpoints_id_seq', 1, false);


--
-- Name: advertiser_refs advertiser_refs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.advertiser_refs
    ADD CONSTRAINT advertiser_refs_pkey PRIMARY KEY (advertiser);


--
-- Name: advertiser_refs advertiser_refs_ref_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.advertiser_refs
    ADD CONSTRAINT advertiser_refs_ref_key UNIQUE (ref);


--
-- Name: api_keys api_keys_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: api_keys api_keys_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_public_id_key UNIQUE (public_id);


--
-- Name: audit_events audit_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);


--
-- Name: audit_events audit_events_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_public_id_key UNIQUE (public_id);


--
-- Name: estimate_ledger estimate_ledger_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.estimate_ledger
    ADD CONSTRAINT estimate_ledger_pkey PRIMARY KEY (listing_id);


--
-- Name: exports exports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);


--
-- Name: exports exports_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_public_id_key UNIQUE (public_id);


--
-- Name: history_fences history_fences_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.history_fences
    ADD CONSTRAINT history_fences_pkey PRIMARY KEY (kind, tier, fence);


--
-- Name: idempotency_records idempotency_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (organization_id, key_hash);


--
-- Name: identity_sets identity_sets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_sets
    ADD CONSTRAINT identity_sets_pkey PRIMARY KEY (city, listing_type, kind);


--
-- Name: ingest_rejects ingest_rejects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_rejects
    ADD CONSTRAINT ingest_rejects_pkey PRIMARY KEY (source, digest);


--
-- Name: ingest_retries ingest_retries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_retries
    ADD CONSTRAINT ingest_retries_pkey PRIMARY KEY (single);


--
-- Name: ingest_run_stages ingest_run_stages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_run_stages
    ADD CONSTRAINT ingest_run_stages_pkey PRIMARY KEY (run_id, stage, source);


--
-- Name: ingest_runs ingest_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_runs
    ADD CONSTRAINT ingest_runs_pkey PRIMARY KEY (id);


--
-- Name: ingest_runs ingest_runs_uid_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_runs
    ADD CONSTRAINT ingest_runs_uid_key UNIQUE (uid);


--
-- Name: job_runs job_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_pkey PRIMARY KEY (name);


--
-- Name: knex_migrations_lock knex_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knex_migrations_lock
    ADD CONSTRAINT knex_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: knex_migrations knex_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knex_migrations
    ADD CONSTRAINT knex_migrations_pkey PRIMARY KEY (id);


--
-- Name: listing_deals listing_deals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_deals
    ADD CONSTRAINT listing_deals_pkey PRIMARY KEY (listing_id);


--
-- Name: listing_events listing_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_events
    ADD CONSTRAINT listing_events_pkey PRIMARY KEY (run_id, listing_id);


--
-- Name: listing_months listing_months_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_months
    ADD CONSTRAINT listing_months_pkey PRIMARY KEY (listing_id, first_month);


--
-- Name: listing_prices listing_prices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_prices
    ADD CONSTRAINT listing_prices_pkey PRIMARY KEY (listing_id, at);


--
-- Name: listing_publications listing_publications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_publications
    ADD CONSTRAINT listing_publications_pkey PRIMARY KEY (listing_id);


--
-- Name: listing_records listing_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_records
    ADD CONSTRAINT listing_records_pkey PRIMARY KEY (id);


--
-- Name: listings listings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT listings_pkey PRIMARY KEY (id);


--
-- Name: listings listings_source_source_listing_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT listings_source_source_listing_id_key UNIQUE (source, source_listing_id);


--
-- Name: lost_photos lost_photos_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.lost_photos
    ADD CONSTRAINT lost_photos_pkey PRIMARY KEY (owner, owner_id, key);


--
-- Name: mails mails_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);


--
-- Name: mails mails_reason_recipient_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_reason_recipient_key UNIQUE (reason, recipient);


--
-- Name: members members_organization_id_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_email_key UNIQUE (organization_id, email);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);


--
-- Name: members members_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_public_id_key UNIQUE (public_id);


--
-- Name: modification_clock modification_clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.modification_clock
    ADD CONSTRAINT modification_clock_pkey PRIMARY KEY (single);


--
-- Name: off_plan_developer_keys off_plan_developer_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_developer_keys
    ADD CONSTRAINT off_plan_developer_keys_pkey PRIMARY KEY (key);


--
-- Name: off_plan_developers off_plan_developers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_developers
    ADD CONSTRAINT off_plan_developers_pkey PRIMARY KEY (id);


--
-- Name: off_plan_projects off_plan_projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_projects
    ADD CONSTRAINT off_plan_projects_pkey PRIMARY KEY (id);


--
-- Name: off_plan_records off_plan_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_records
    ADD CONSTRAINT off_plan_records_pkey PRIMARY KEY (id);


--
-- Name: off_plan_records off_plan_records_source_source_project_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_records
    ADD CONSTRAINT off_plan_records_source_source_project_id_key UNIQUE (source, source_project_id);


--
-- Name: official_files official_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.official_files
    ADD CONSTRAINT official_files_pkey PRIMARY KEY (id);


--
-- Name: official_loads official_loads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.official_loads
    ADD CONSTRAINT official_loads_pkey PRIMARY KEY (id);


--
-- Name: official_rejects official_rejects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.official_rejects
    ADD CONSTRAINT official_rejects_pkey PRIMARY KEY (file_id, line);


--
-- Name: organizations organizations_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_name_key UNIQUE (name);


--
-- Name: organizations organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);


--
-- Name: organizations organizations_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_public_id_key UNIQUE (public_id);


--
-- Name: photo_checks photo_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.photo_checks
    ADD CONSTRAINT photo_checks_pkey PRIMARY KEY (owner, owner_id);


--
-- Name: photo_images photo_images_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.photo_images
    ADD CONSTRAINT photo_images_pkey PRIMARY KEY (key);


--
-- Name: photos photos_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.photos
    ADD CONSTRAINT photos_pkey PRIMARY KEY (url_hash);


--
-- Name: plans plans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (name);


--
-- Name: plans plans_rank_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_rank_key UNIQUE (rank);


--
-- Name: price_index price_index_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.price_index
    ADD CONSTRAINT price_index_pkey PRIMARY KEY (load_id, region, item);


--
-- Name: projects projects_organization_id_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_organization_id_name_key UNIQUE (organization_id, name);


--
-- Name: projects projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);


--
-- Name: projects projects_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_public_id_key UNIQUE (public_id);


--
-- Name: property_index_releases property_index_releases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.property_index_releases
    ADD CONSTRAINT property_index_releases_pkey PRIMARY KEY (month, revision);


--
-- Name: property_index_series property_index_series_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.property_index_series
    ADD CONSTRAINT property_index_series_pkey PRIMARY KEY (month, revision, "position");


--
-- Name: quality_fences quality_fences_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quality_fences
    ADD CONSTRAINT quality_fences_pkey PRIMARY KEY (kind, tier, fence);


--
-- Name: rate_windows rate_windows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (subject, subject_id);


--
-- Name: replaced_photos replaced_photos_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replaced_photos
    ADD CONSTRAINT replaced_photos_pkey PRIMARY KEY (key);


--
-- Name: request_logs request_logs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs
    ADD CONSTRAINT request_logs_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2026_08 request_logs_2026_08_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2026_08
    ADD CONSTRAINT request_logs_2026_08_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2026_09 request_logs_2026_09_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2026_09
    ADD CONSTRAINT request_logs_2026_09_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2026_10 request_logs_2026_10_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2026_10
    ADD CONSTRAINT request_logs_2026_10_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2026_11 request_logs_2026_11_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2026_11
    ADD CONSTRAINT request_logs_2026_11_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2026_12 request_logs_2026_12_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2026_12
    ADD CONSTRAINT request_logs_2026_12_pkey PRIMARY KEY (at, id);


--
-- Name: request_logs_2027_01 request_logs_2027_01_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.request_logs_2027_01
    ADD CONSTRAINT request_logs_2027_01_pkey PRIMARY KEY (at, id);


--
-- Name: restores restores_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.restores
    ADD CONSTRAINT restores_pkey PRIMARY KEY (id);


--
-- Name: schema_contracts schema_contracts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_contracts
    ADD CONSTRAINT schema_contracts_pkey PRIMARY KEY (version);


--
-- Name: schema_functions schema_functions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (only_row);


--
-- Name: served_indexes served_indexes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.served_indexes
    ADD CONSTRAINT served_indexes_pkey PRIMARY KEY (name);


--
-- Name: source_states source_states_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT source_states_pkey PRIMARY KEY (source);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (load_id, key);


--
-- Name: unit_counters unit_counters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.unit_counters
    ADD CONSTRAINT unit_counters_pkey PRIMARY KEY (subject, subject_id, month);


--
-- Name: usage_days usage_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (organization_id, day, key_id, endpoint, result);


--
-- Name: webhook_attempts webhook_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);


--
-- Name: webhook_deliveries webhook_deliveries_endpoint_id_event_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id);


--
-- Name: webhook_deliveries webhook_deliveries_endpoint_id_sequence_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_sequence_key UNIQUE (endpoint_id, sequence);


--
-- Name: webhook_deliveries webhook_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);


--
-- Name: webhook_deliveries webhook_deliveries_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_public_id_key UNIQUE (public_id);


--
-- Name: webhook_endpoints webhook_endpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);


--
-- Name: webhook_endpoints webhook_endpoints_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_public_id_key UNIQUE (public_id);


--
-- Name: webhook_remains webhook_remains_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_remains
    ADD CONSTRAINT webhook_remains_pkey PRIMARY KEY (endpoint_id);


--
-- Name: api_keys_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX api_keys_name ON public.api_keys USING btree (organization_id, name) WHERE (revoked_at IS NULL);


--
-- Name: api_keys_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_organization ON public.api_keys USING btree (organization_id);


--
-- Name: audit_events_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_organization ON public.audit_events USING btree (organization_id, id DESC);


--
-- Name: estimate_ledger_cohorts; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX estimate_ledger_cohorts ON public.estimate_ledger USING btree (city, listing_type, day);


--
-- Name: exports_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX exports_due ON public.exports USING btree (due_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: exports_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX exports_organization ON public.exports USING btree (organization_id, id DESC);


--
-- Name: idempotency_records_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_records_age ON public.idempotency_records USING btree (created_at);


--
-- Name: ingest_rejects_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ingest_rejects_at ON public.ingest_rejects USING btree (at);


--
-- Name: listing_events_skipped; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listing_events_skipped ON public.listing_events USING btree (skipped_at) WHERE (skipped_at IS NOT NULL);


--
-- Name: listings_of_projects; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_of_projects ON public.listings USING btree (id) WHERE ((project_ref IS NOT NULL) OR (project_name IS NOT NULL) OR (project_id IS NOT NULL));


--
-- Name: listings_photos_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_photos_changed ON public.listings USING btree (source, id) WHERE ((photos_checked_run = '-1'::integer) AND (withdrawn_at IS NULL) AND (photos <> ''::text));


--
-- Name: listings_photos_checked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_photos_checked ON public.listings USING btree (source, photos_checked_run, id) WHERE (served AND (photos <> ''::text));


--
-- Name: mails_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_waiting ON public.mails USING btree (due_at) WHERE (finished_at IS NULL);


--
-- Name: official_files_digest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX official_files_digest ON public.official_files USING btree (digest);


--
-- Name: official_loads_current; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX official_loads_current ON public.official_loads USING btree (kind, scope, quarter) WHERE (state = 'current'::text);


--
-- Name: official_loads_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX official_loads_state ON public.official_loads USING btree (state) WHERE (state <> 'current'::text);


--
-- Name: photo_bands_band; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX photo_bands_band ON public.photo_bands USING btree (band) INCLUDE (phash);


--
-- Name: photo_images_evidence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX photo_images_evidence ON public.photo_images USING btree (key) INCLUDE (same_as, phash) WHERE ((phash IS NULL) OR (same_as <> key));


--
-- Name: price_index_region; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX price_index_region ON public.price_index USING btree (region, item, quarter);


--
-- Name: property_index_drafts; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX property_index_drafts ON public.property_index_releases USING btree (month) WHERE (published_at IS NULL);


--
-- Name: registered_rents_city; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registered_rents_city ON public.registered_rents USING btree (city, quarter);


--
-- Name: registered_rents_load; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX registered_rents_load ON public.registered_rents USING btree (load_id);


--
-- Name: request_logs_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_organization ON ONLY public.request_logs USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2026_08_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2026_08_organization_id_at_id_idx ON public.request_logs_2026_08 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_request; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_request ON ONLY public.request_logs USING btree (request_id, at);


--
-- Name: request_logs_2026_08_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2026_08_request_id_at_idx ON public.request_logs_2026_08 USING btree (request_id, at);


--
-- Name: request_logs_2026_09_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2026_09_organization_id_at_id_idx ON public.request_logs_2026_09 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2026_09_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2026_09_request_id_at_idx ON public.request_logs_2026_09 USING btree (request_id, at);


--
-- Name: request_logs_2026_10_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2026_10_organization_id_at_id_idx ON public.request_logs_2026_10 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2026_10_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2026_10_request_id_at_idx ON public.request_logs_2026_10 USING btree (request_id, at);


--
-- Name: request_logs_2026_11_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2026_11_organization_id_at_id_idx ON public.request_logs_2026_11 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2026_11_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2026_11_request_id_at_idx ON public.request_logs_2026_11 USING btree (request_id, at);


--
-- Name: request_logs_2026_12_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2026_12_organization_id_at_id_idx ON public.request_logs_2026_12 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2026_12_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2026_12_request_id_at_idx ON public.request_logs_2026_12 USING btree (request_id, at);


--
-- Name: request_logs_2027_01_organization_id_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX request_logs_2027_01_organization_id_at_id_idx ON public.request_logs_2027_01 USING btree (organization_id, at DESC, id DESC);


--
-- Name: request_logs_2027_01_request_id_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX request_logs_2027_01_request_id_at_idx ON public.request_logs_2027_01 USING btree (request_id, at);


--
-- Name: sales_indicators_city; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sales_indicators_city ON public.sales_indicators USING btree (city, quarter);


--
-- Name: sales_indicators_load; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sales_indicators_load ON public.sales_indicators USING btree (load_id);


--
-- Name: webhook_deliveries_failed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (endpoint_id, finished_at) WHERE (status = 'failed'::text);


--
-- Name: webhook_deliveries_finished; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_finished ON public.webhook_deliveries USING btree (finished_at) WHERE (status <> 'pending'::text);


--
-- Name: webhook_deliveries_pending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (status = 'pending'::text);


--
-- Name: webhook_endpoints_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_endpoints_organization ON public.webhook_endpoints USING btree (organization_id, id DESC);


--
-- Name: request_logs_2026_08_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2026_08_organization_id_at_id_idx;


--
-- Name: request_logs_2026_08_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2026_08_pkey;


--
-- Name: request_logs_2026_08_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2026_08_request_id_at_idx;


--
-- Name: request_logs_2026_09_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2026_09_organization_id_at_id_idx;


--
-- Name: request_logs_2026_09_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2026_09_pkey;


--
-- Name: request_logs_2026_09_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2026_09_request_id_at_idx;


--
-- Name: request_logs_2026_10_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2026_10_organization_id_at_id_idx;


--
-- Name: request_logs_2026_10_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2026_10_pkey;


--
-- Name: request_logs_2026_10_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2026_10_request_id_at_idx;


--
-- Name: request_logs_2026_11_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2026_11_organization_id_at_id_idx;


--
-- Name: request_logs_2026_11_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2026_11_pkey;


--
-- Name: request_logs_2026_11_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2026_11_request_id_at_idx;


--
-- Name: request_logs_2026_12_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2026_12_organization_id_at_id_idx;


--
-- Name: request_logs_2026_12_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2026_12_pkey;


--
-- Name: request_logs_2026_12_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2026_12_request_id_at_idx;


--
-- Name: request_logs_2027_01_organization_id_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_organization ATTACH PARTITION public.request_logs_2027_01_organization_id_at_id_idx;


--
-- Name: request_logs_2027_01_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_pkey ATTACH PARTITION public.request_logs_2027_01_pkey;


--
-- Name: request_logs_2027_01_request_id_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.request_logs_request ATTACH PARTITION public.request_logs_2027_01_request_id_at_idx;


--
-- Name: property_index_releases keep_published; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_published BEFORE DELETE OR UPDATE ON public.property_index_releases FOR EACH ROW EXECUTE FUNCTION public.keep_published_releases();


--
-- Name: property_index_series keep_published; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_published BEFORE INSERT OR DELETE OR UPDATE ON public.property_index_series FOR EACH ROW EXECUTE FUNCTION public.keep_published_series();


--
-- Name: property_index_releases keep_published_all; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_published_all BEFORE TRUNCATE ON public.property_index_releases FOR EACH STATEMENT EXECUTE FUNCTION public.keep_published_releases();


--
-- Name: property_index_series keep_published_all; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_published_all BEFORE TRUNCATE ON public.property_index_series FOR EACH STATEMENT EXECUTE FUNCTION public.keep_published_series();


--
-- Name: webhook_endpoints webhook_endpoints_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER webhook_endpoints_deleted AFTER DELETE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION public.keep_webhook_remains();


--
-- Name: api_keys api_keys_member_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.members(id) ON DELETE SET NULL;


--
-- Name: api_keys api_keys_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: api_keys api_keys_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;


--
-- Name: api_keys api_keys_rotated_to_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_rotated_to_fkey FOREIGN KEY (rotated_to) REFERENCES public.api_keys(id);


--
-- Name: audit_events audit_events_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: exports exports_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE SET NULL;


--
-- Name: exports exports_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: idempotency_records idempotency_records_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: ingest_rejects ingest_rejects_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_rejects
    ADD CONSTRAINT ingest_rejects_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.ingest_runs(id);


--
-- Name: ingest_run_stages ingest_run_stages_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ingest_run_stages
    ADD CONSTRAINT ingest_run_stages_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.ingest_runs(id);


--
-- Name: members members_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: off_plan_developer_keys off_plan_developer_keys_developer_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_developer_keys
    ADD CONSTRAINT off_plan_developer_keys_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES public.off_plan_developers(id);


--
-- Name: off_plan_projects off_plan_projects_developer_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_projects
    ADD CONSTRAINT off_plan_projects_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES public.off_plan_developers(id);


--
-- Name: off_plan_projects off_plan_projects_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.off_plan_projects
    ADD CONSTRAINT off_plan_projects_id_fkey FOREIGN KEY (id) REFERENCES public.off_plan_records(id);


--
-- Name: official_loads official_loads_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.official_loads
    ADD CONSTRAINT official_loads_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.official_files(id);


--
-- Name: official_rejects official_rejects_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.official_rejects
    ADD CONSTRAINT official_rejects_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.official_files(id) ON DELETE CASCADE;


--
-- Name: organizations organizations_plan_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_plan_fkey FOREIGN KEY (plan) REFERENCES public.plans(name);


--
-- Name: price_index price_index_load_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.price_index
    ADD CONSTRAINT price_index_load_id_fkey FOREIGN KEY (load_id) REFERENCES public.official_loads(id);


--
-- Name: projects projects_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: property_index_series property_index_series_month_revision_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.property_index_series
    ADD CONSTRAINT property_index_series_month_revision_fkey FOREIGN KEY (month, revision) REFERENCES public.property_index_releases(month, revision) ON DELETE CASCADE;


--
-- Name: registered_rents registered_rents_load_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.registered_rents
    ADD CONSTRAINT registered_rents_load_id_fkey FOREIGN KEY (load_id) REFERENCES public.official_loads(id);


--
-- Name: sales_indicators sales_indicators_load_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sales_indicators
    ADD CONSTRAINT sales_indicators_load_id_fkey FOREIGN KEY (load_id) REFERENCES public.official_loads(id);


--
-- Name: source_states source_states_held_run_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT source_states_held_run_fkey FOREIGN KEY (held_run) REFERENCES public.ingest_runs(id);


--
-- Name: source_states source_states_last_complete_run_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT source_states_last_complete_run_fkey FOREIGN KEY (last_complete_run) REFERENCES public.ingest_runs(id);


--
-- Name: transactions transactions_load_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_load_id_fkey FOREIGN KEY (load_id) REFERENCES public.official_loads(id);


--
-- Name: usage_days usage_days_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: webhook_attempts webhook_attempts_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;


--
-- Name: webhook_endpoints webhook_endpoints_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict nO3EzHL5DQw1EMB7Z4JuEXLoDUgTiXS2J8A2zGocqoOS134PDZEz2kSynxntwHG

