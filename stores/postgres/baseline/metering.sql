-- Counters that calls are charged to, and records of calls. The function `charge` is in src/metering/charge-function.sql.

-- Half of each page is free, so that updates in place do not change the index.
create table unit_counters (
  -- 'organization', 'project', 'key' (a test key) or 'tests' (all test keys of an organization).
  subject text not null,
  subject_id bigint not null,
  -- UTC calendar month, for example 202611.
  month integer not null,
  units bigint not null,
  primary key (subject, subject_id, month)
) with (fillfactor = 50);
comment on table unit_counters is 'Units charged in a month. Bills are computed from this table.';

create unlogged table rate_windows (
  subject text not null,
  subject_id bigint not null,
  -- The latest second with a charge.
  second bigint not null,
  -- Sum of the buckets.
  total integer not null,
  -- Units of each of the last 60 seconds, at the index of the second modulo 60.
  buckets integer[] not null,
  -- Second of the oldest bucket with units, which expires first.
  oldest bigint not null default 0,
  primary key (subject, subject_id)
) with (fillfactor = 50);
comment on table rate_windows is 'Units charged in the last minute. Unlogged, because a crash loses at most one minute of the rate limit.';

-- Counters are updated in the order in which `charge` locks them, which prevents deadlocks. The rate limit is not
-- refunded, because failed calls count against it.
create function refund(p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer)
returns void language plpgsql as $refund$
begin
  update unit_counters set units = greatest(0, units - p_units)
   where subject = case p_kind when 'test' then 'tests' else 'organization' end
     and subject_id = p_organization and month = p_month;
  update unit_counters set units = greatest(0, units - p_units)
   where subject = case p_kind when 'test' then 'key' else 'project' end
     and subject_id = case p_kind when 'test' then p_key else p_project end and month = p_month;
end
$refund$;
comment on function refund is 'Returns charged units to the month in which they were charged.';

create table usage_days (
  organization_id bigint not null references organizations on delete cascade,
  -- Calendar day in UTC.
  day date not null,
  key_id bigint not null,
  endpoint text not null,
  result text not null check (result in ('2xx', '4xx', '429', '5xx')),
  requests bigint not null,
  units bigint not null,
  primary key (organization_id, day, key_id, endpoint, result)
);
comment on table usage_days is 'Calls per day, key, endpoint and result, for usage reports.';

create table request_logs (
  id bigint generated always as identity,
  at timestamptz not null,
  request_id text not null,
  organization_id bigint not null,
  key_id bigint not null,
  method text not null,
  route text not null,
  status smallint not null,
  code text,
  units integer not null,
  duration_ms real not null,
  ip inet,
  -- Message and parameter of the error. Null if the organization does not log request details.
  message text,
  param text,
  -- The query string. Null if the organization does not log request details.
  query text,
  primary key (at, id)
) partition by range (at);
create index request_logs_organization on request_logs (organization_id, at desc, id desc);
-- One row for each call, also if its batch is sent several times.
create unique index request_logs_request on request_logs (request_id, at);
comment on table request_logs is 'Calls of each organization. A partition is dropped when no organization retains its month.';

create function ensure_request_log_partition(p_month date) returns void language plpgsql as $$
declare
  start timestamptz := date_trunc('month', p_month::timestamp) at time zone 'UTC';
  stop timestamptz := (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  execute format('create table if not exists %I partition of request_logs for values from (%L) to (%L)',
    'request_logs_' || to_char(p_month, 'YYYY_MM'), start, stop);
end $$;
comment on function ensure_request_log_partition is 'Creates the partition of request_logs for a UTC month. A job calls it ahead of the month.';
select ensure_request_log_partition((now() at time zone 'UTC' + make_interval(months => m))::date) from generate_series(-3, 2) m;
