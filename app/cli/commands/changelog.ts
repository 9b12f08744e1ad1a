import { type Command, InvalidArgumentError } from 'commander';
import { mailAllOwners } from '#src/mail/outbox.ts';
import { CHANGELOG } from '#src/openapi/changelog.ts';
import { accountCommands } from '../connect.ts';

export const HELP = `Examples:
  npm run cli -- changelog announce old-filter`;

export function addCommands(group: Command): void {
  accountCommands(group)(
    'announce <id>',
    'Send mail about a deprecation to every owner, once. The process that sends webhooks sends it',
    async ({ pool }, _flags, id) => {
      const entry = CHANGELOG.find((each) => each.id === id);
      if (!entry) throw new InvalidArgumentError(`The changelog has no entry ${id}.`);
      if (entry.kind !== 'deprecated')
        throw new InvalidArgumentError(`${id} is no deprecation. Owners are only notified of deprecations.`);
      const { title, text, sunset } = entry;
      const body = [title, text].map(({ en, ar }) => `${en.trim()}\n\n${ar.trim()}`).join('\n\n');
      const until = sunset === undefined ? '' : `\n\n${sunset}`;
      const mail = { reason: `changelog ${id}`, subject: `Deprecated: ${title.en}`, body: `${body}${until}\n` };
      return { id, mails: await mailAllOwners(pool, mail, new Date()) };
    },
  );
}
