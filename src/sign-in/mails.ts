import type { Config } from '#src/config.ts';
import { byLanguage, type Language } from '#src/documents/language.ts';
import type { Mail } from '#src/mail/outbox.ts';
import mails from './mails.json' with { type: 'json' };

const TEXTS = byLanguage(mails);
type MailKind = keyof (typeof TEXTS)['en'];

/** Renders a mail to people. Pure. @param values by the name of the placeholder, besides `service` */
export function renderMail(
  { serviceName }: Pick<Config, 'serviceName'>,
  kind: MailKind,
  language: Language,
  values: Readonly<Record<string, string>>,
): Pick<Mail, 'subject' | 'body'> {
  const all: Readonly<Record<string, string>> = { service: serviceName, ...values };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => all[name] ?? '');
  const { subject, body } = TEXTS[language][kind];
  return { subject: fill(subject), body: fill(body) };
}
