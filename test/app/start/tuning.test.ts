import { createServer } from 'node:http';
import { serveTuning } from '#app/start/tuning.ts';
import { createLogger } from '#src/observability/logger.ts';
import { makeListing } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

test('the tuning page shows the results of an edited synonym line, escapes every value, and allows no script', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  const titles = ['kwyjibo by the sea', `villa ${HOSTILE}`];
  await index.bulk(
    titles.map((title, at) => ({ op: 'index', id: at + 1, version: 1, stored: makeListing({ id: at + 1, title }) })),
  );
  await index.refresh();
  const services = { opensearch: own.client, logger: createLogger('silent') };
  const { url, close } = await listen(createServer((request, response) => serveTuning(request, response, services)));
  t.teardown(close);
  const read = async (parameters: Record<string, string>) => {
    const response = await fetch(`${url}/tuning?${new URLSearchParams(parameters)}`);
    return { response, page: await response.text() };
  };

  const { page } = await read({ q: 'kwyjibo', line: '0', edit: 'kwyjibo, villa' });
  const [, serving = '', edited = ''] = page.split('<section>');
  t.true(serving.includes('1 listings') && edited.includes('2 listings'), page);
  const { response, page: hostile } = await read({ q: 'villa', edit: HOSTILE, b: HOSTILE });
  t.is(response.status, 200);
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  t.true(policy.startsWith("default-src 'none'; style-src 'sha256-") && !/script-src|unsafe/.test(policy), policy);
  t.false(/<script|<img|https?:\/\//.test(hostile));
  t.true(hostile.includes('2: villa &#34;&#62;&#60;script'), hostile);
  t.false(/<script|<img/.test((await read({ q: HOSTILE })).page));
  t.regex(
    (await read({ against: 'serving' })).page,
    /pairs: (\d+) → \1 of \d+ right.*found only by serving<\/h3><ol><\/ol>/,
  );
  const { page: refused } = await read({ against: HOSTILE });
  t.true(refused.includes('Accepted: a commit') && !/<script|<img/.test(refused), refused);
});
