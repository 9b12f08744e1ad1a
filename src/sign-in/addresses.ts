import { isDisposableEmailDomain } from 'disposable-email-domains-js';
import { parse } from 'tldts';

/** Providers of mailboxes for everyone, by the name before the public suffix (`yahoo` for yahoo.co.uk). */
const MAILBOX_PROVIDERS = new Set(
  (
    '126 163 aol daum email fastmail gmail gmx googlemail hanmail hey hotmail icloud inbox laposte libero live mac mail ' +
    'maktoob me msn naver orange outlook pm posteo proton protonmail qq rediffmail rocketmail sina t-online tuta tutanota ' +
    'web windowslive yahoo yandex ymail zoho'
  ).split(' '),
);
/** Whose addresses ignore dots. */
const WITHOUT_DOTS = /^(gmail|googlemail)\.com$/;

/** The same for all addresses of a mailbox that differ by a tag (`a+tag@`), and in Gmail by dots. Pure. */
export function canonicalAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = '', domain] = [email.slice(0, at).split('+')[0], email.slice(at + 1)];
  return WITHOUT_DOTS.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** The registrable domain of a company; null for an address at a provider of mailboxes. Pure. */
export function companyDomain(email: string): string | null {
  const { domain, domainWithoutSuffix, isIp } = parse(email.slice(email.lastIndexOf('@') + 1));
  if (isIp || domain === null || MAILBOX_PROVIDERS.has(domainWithoutSuffix ?? '')) return null;
  return domain;
}

/** Identifies the person or company that can have one account. Pure. */
export function accountOf(email: string): string {
  const domain = companyDomain(email);
  return domain === null ? `address ${canonicalAddress(email)}` : `domain ${domain}`;
}

/** Whether anyone can read the mail of the address, or no mail can reach it. Pure. */
export function isDisposable(email: string): boolean {
  const host = email.slice(email.lastIndexOf('@') + 1);
  const { domain } = parse(host);
  return isDisposableEmailDomain(host) || (domain !== null && isDisposableEmailDomain(domain));
}
