import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table sending_limits (
      kind text not null,
      -- An organization, or a receiving host.
      subject text not null,
      -- When all of its messages are paid for at the regular interval. It may be a burst ahead of the clock.
      free_at timestamptz not null,
      primary key (kind, subject)
    );
    comment on table sending_limits is
      'What organizations make the service send (test events, replays, emails), by organization and by receiving host.'`);
}
