import type { Knex } from 'knex';

/**
 * Charges several calls in one statement. The row of a session records the units of each call, so that each can be
 * refunded individually. During an upgrade, nodes of the previous release continue to charge one call at a time.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table charge_sessions
      alter key_id type bigint[] using array[key_id],
      alter month type integer[] using array[month],
      alter units type integer[] using array[units];
    alter table charge_sessions rename key_id to key_ids;
    alter table charge_sessions rename month to months;
    comment on column charge_sessions.charge is
      'number of the last charge of the latest statement that took units; the arrays have what its charges took, the last last; 0: none did';

    -- Settles a charge that its caller gave up on: it is given back if it was made, and never made if it was not. Waits
    -- for one that is being made.
    create or replace function settle_charge(p_session uuid, p_charge bigint) returns boolean language plpgsql as $settle$
    declare
      s charge_sessions;
      k api_keys;
      place integer;
    begin
      insert into charge_sessions as c (session, charge, closed) values (p_session, 0, true)
        on conflict (session) do update set closed = true, at = now()
        returning * into s;
      place := p_charge - s.charge + cardinality(s.units);
      if coalesce(s.units[place], 0) = 0 then
        return false;
      end if;
      select * into k from api_keys where id = s.key_ids[place];
      return found
         and give_back(p_session, p_charge, k.kind, k.organization_id, k.id, k.project_id, s.months[place], s.units[place]);
    end
    $settle$;

    -- Gives a reservation back to the month it was taken from, in the order in which charges lock counters. The rate keeps
    -- it: failing calls are calls too.
    create or replace function refund(
      p_kind text, p_organization bigint, p_key bigint, p_project bigint, p_month integer, p_units integer
    ) returns void language plpgsql as $refund$
    begin
      update unit_counters set units = greatest(0, units - p_units)
       where subject = case p_kind when 'test' then 'tests' else 'organization' end
         and subject_id = p_organization and month = p_month;
      update unit_counters set units = greatest(0, units - p_units)
       where subject = case p_kind when 'test' then 'key' else 'project' end
         and subject_id = case p_kind when 'test' then p_key else p_project end and month = p_month;
    end
    $refund$;
  `);
}
