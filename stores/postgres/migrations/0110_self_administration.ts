import type { Knex } from 'knex';

/** What organizations change themselves: plans from the next month, deleted projects, closed accounts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table organizations
      add column next_plan text references plans,
      add column next_plan_from timestamptz,
      add column closed_at timestamptz;
    comment on column organizations.next_plan is 'The plan from next_plan_from on, the start of a month.';
    comment on column organizations.closed_at is 'When an owner closed the account. Its data is deleted later.';

    alter table projects
      add column deleted_at timestamptz,
      drop constraint projects_organization_id_name_key;
    create unique index projects_name on projects (organization_id, name) where deleted_at is null;
    comment on column projects.deleted_at is 'The row remains, because usage names it.';

    create table plan_history (
      organization_id bigint not null references organizations on delete cascade,
      since timestamptz not null,
      plan text not null,
      -- Null means unlimited.
      units_per_month bigint,
      -- Price of 1,000 units over the quota. 0: the plan has none.
      overage_sar_per_1000 numeric(10, 4) not null,
      primary key (organization_id, since)
    );
    comment on table plan_history is 'Plans with quota and price of each organization over time, for statements. Triggers write it.';

    create function keep_plan_history() returns trigger language plpgsql as $$
    begin
      insert into plan_history
        select o.id, case when tg_op = 'INSERT' then o.created_at else now() end, p.name,
               coalesce(o.units_per_month, p.units_per_month), case when p.overage then p.overage_sar_per_1000 else 0 end
          from organizations o join plans p on p.name = o.plan
         where case tg_table_name when 'plans' then p.name = to_jsonb(new) ->> 'name' else o.id = (to_jsonb(new) ->> 'id')::bigint end
        on conflict (organization_id, since) do update set plan = excluded.plan,
          units_per_month = excluded.units_per_month, overage_sar_per_1000 = excluded.overage_sar_per_1000;
      return null;
    end $$;
    create trigger keep_plan_history after insert or update of plan, units_per_month on organizations
      for each row execute function keep_plan_history();
    create trigger keep_plan_history after update on plans
      for each row when (old is distinct from new) execute function keep_plan_history();
    insert into plan_history
      select o.id, o.created_at, p.name, coalesce(o.units_per_month, p.units_per_month),
             case when p.overage then p.overage_sar_per_1000 else 0 end
        from organizations o join plans p on p.name = o.plan`);
}
