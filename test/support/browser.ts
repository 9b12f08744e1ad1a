import { randomInt } from 'node:crypto';
import type { TestApp } from './app.ts';

export type TestBrowser = ReturnType<typeof openBrowser>;

export interface TestPage {
  status: number;
  headers: Headers;
  text: string;
  /** Texts of the page, without markup. */
  words: string;
}

/** Settings with which people can open accounts, from addresses that tests state. */
export const SELF_SERVICE_ENV = {
  SELF_SERVICE: 'on',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
  TRUSTED_PROXIES: '127.0.0.1',
};

/** Workers share a database, and with it the limits of addresses, so that each begins elsewhere. */
let opened = randomInt(2 ** 24 - 2 ** 16);
function newAddress(): string {
  opened++;
  return `203.${opened >> 16}.${(opened >> 8) & 255}.${opened & 255}`;
}

/** A browser without scripts: it stores cookies, follows redirects and sends the forms of pages. */
export function openBrowser({ url }: Pick<TestApp, 'url'>, ip = newAddress()) {
  const cookies = new Map<string, string>();

  async function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<TestPage> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: { Accept: 'text/html', 'X-Forwarded-For': ip, 'User-Agent': 'Test browser', Cookie: cookie, ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const words = text
      .replaceAll('<wbr>', '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    return {
      status: response.status,
      headers: response.headers,
      text,
      words: words.replace(/\s+/g, ' ').replace(/ ([,.])/g, '$1'),
    };
  }
  const browser = {
    ip,
    cookies,
    send,
    get: (path: string) => send('GET', path, { 'Sec-Fetch-Site': 'none' }),
    post: (path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
      send(
        'POST',
        path,
        { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    /** Sends the first form of a page, with its hidden fields. */
    submit(page: TestPage, fields: Readonly<Record<string, string>> = {}): Promise<TestPage> {
      const [form = ''] = /<form class="account"[\s\S]*?<\/form>/.exec(page.text) ?? [];
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const values = hidden.map(([, name = '', value = '']) => [
        name,
        value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      ]);
      return browser.post(action, { ...Object.fromEntries(values), ...fields });
    },
  };
  return browser;
}

/** Returns the links in the newest mail to an address; none if there is no mail. */
export async function mailedLinks({ services }: Pick<TestApp, 'services'>, email: string): Promise<string[]> {
  const { rows } = await services.pool.query<{ body: string }>(
    'select body from mails where recipient = $1 order by id desc limit 1',
    [email],
  );
  return [...(rows[0]?.body ?? '').matchAll(/https?:\/\/\S+/g)].map(([link]) => {
    const { pathname, search } = new URL(link);
    return `${pathname}${search}`;
  });
}

/** Signs a person in by mail. @returns the response to the form that used the link */
export async function signIn(app: TestApp, browser: TestBrowser, email: string, path = '/sign-in'): Promise<TestPage> {
  await browser.submit(await browser.get(path), { email });
  const [link = ''] = await mailedLinks(app, email);
  return browser.submit(await browser.get(link));
}

/** Opens an account. @returns the page with the key */
export async function signUp(app: TestApp, browser: TestBrowser, email: string, name = 'Acme'): Promise<TestPage> {
  await browser.submit(await browser.get('/sign-up'), { email, name, kind: 'company', terms: 'yes' });
  const [link = ''] = await mailedLinks(app, email);
  return browser.submit(await browser.get(link));
}
