import type { Knex } from 'knex';

/**
 * What makes a charge and its refund happen once, whoever gives up waiting for them. Every connection that charges is a
 * session, and numbers its charges. A charge that takes units notes its number in the session's row, in the transaction
 * that takes them. A caller that gives up on one closes the session: the charge is committed and in the row by then, and
 * is given back, or it finds the session closed and takes nothing. See src/metering/charges.ts.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- One row a connection, updated by each of its charges: most of a page stays free, so that these updates stay on it
    -- and touch no index.
    create table charge_sessions (
      session uuid primary key,
      -- the last charge that took units; 0: none did
      charge bigint not null,
      closed boolean not null default false,
      at timestamptz not null default now(),
      -- what it took, and from whom
      kind text,
      organization_id bigint,
      key_id bigint,
      project_id bigint,
      month integer,
      units integer
    ) with (fillfactor = 10);

    -- Charges that were given back.
    create table refunds (
      session uuid not null,
      charge bigint not null,
      at timestamptz not null default now(),
      primary key (session, charge)
    );

    create function charge_in_session(
      p_session uuid, p_charge bigint,
      p_hash bytea, p_audience text, p_scope text, p_units integer, p_valid boolean,
      p_limit integer, p_offset integer, p_ip inet, p_now timestamptz
    ) returns json language plpgsql as $charge$
    declare
      answer json := charge(p_hash, p_audience, p_scope, p_units, p_valid, p_limit, p_offset, p_ip, p_now);
    begin
      -- A refusal took nothing.
      if p_units = 0 or answer ->> 'outcome' is not null then
        return answer;
      end if;
      update charge_sessions s
         set charge = p_charge, at = now(), kind = a.kind, organization_id = a.organization_id, key_id = a.key_id,
             project_id = a.project_id, month = a.month, units = a.units
        from json_to_record(answer)
          as a(kind text, organization_id bigint, key_id bigint, project_id bigint, month integer, units integer)
       where s.session = p_session and not s.closed;
      if not found then
        insert into charge_sessions
        select p_session, p_charge, false, now(), a.*
          from json_to_record(answer)
            as a(kind text, organization_id bigint, key_id bigint, project_id bigint, month integer, units integer)
        on conflict do nothing;
        -- Nobody waits for this charge any more. What it took goes with the transaction.
        if not found then
          raise exception 'the session is closed' using errcode = 'object_not_in_prerequisite_state';
        end if;
      end if;
      return answer;
    end
    $charge$;

    -- Gives a charge back, once. A charge that a crash of Postgres has forgotten took nothing: numbers only grow, so
    -- the row then has a smaller one.
    create function give_back(
      p_session uuid, p_charge bigint,
      p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer
    ) returns boolean language plpgsql as $give_back$
    begin
      if not exists (select from charge_sessions where session = p_session and charge >= p_charge) then
        return false;
      end if;
      insert into refunds (session, charge) values (p_session, p_charge) on conflict do nothing;
      if not found then
        return false;
      end if;
      perform refund(p_kind, p_organization, p_key, p_project, p_month, p_units);
      return true;
    end
    $give_back$;

    -- Settles a charge that its caller gave up on: it is given back if it was made, and never made if it was not. Waits
    -- for one that is being made.
    create function settle_charge(p_session uuid, p_charge bigint) returns boolean language plpgsql as $settle$
    declare
      s charge_sessions;
    begin
      insert into charge_sessions as c (session, charge, closed) values (p_session, 0, true)
        on conflict (session) do update set closed = true, at = now()
        returning * into s;
      return s.charge = p_charge
         and give_back(s.session, s.charge, s.kind, s.organization_id, s.key_id, s.project_id, s.month, s.units);
    end
    $settle$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function settle_charge, give_back, charge_in_session;
    drop table refunds, charge_sessions;
  `);
}
