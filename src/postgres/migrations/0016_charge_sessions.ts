import type { Knex } from 'knex';

/**
 * Ensures that a charge and its refund happen exactly once, even if a caller times out. `charge` records its number in
 * the row of its session, which is a connection, in the transaction that takes the units. A caller that times out
 * closes the session. If the charge was committed, it is recorded in the row and is refunded; otherwise it finds the
 * session closed and takes no units. See src/metering/charges.ts.
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
      -- what it took, and for which key
      key_id bigint,
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
      k api_keys;
    begin
      insert into charge_sessions as c (session, charge, closed) values (p_session, 0, true)
        on conflict (session) do update set closed = true, at = now()
        returning * into s;
      if s.charge <> p_charge then
        return false;
      end if;
      select * into k from api_keys where id = s.key_id;
      return found
         and give_back(p_session, p_charge, k.kind, k.organization_id, k.id, k.project_id, s.month, s.units);
    end
    $settle$;

    -- Those of earlier releases; their nodes go on charging during an upgrade, by the arguments that have defaults.
    drop function if exists charge(bytea, text, text, integer, boolean, integer, integer, inet, timestamptz);
    drop function if exists charge(bytea, text, text, integer, boolean, integer, integer, inet, timestamptz, boolean);
  `);
}
