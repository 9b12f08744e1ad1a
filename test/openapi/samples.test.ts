import { endpoints } from '#endpoints/index.ts';
import { codeSamples } from '#openapi/samples.ts';
import { test } from '#test/test.ts';

const BASE_URL = 'https://api.example.com/v1';
const samplesOf = (operationId: string, call: { path?: object; query?: object; body?: unknown } = {}) => {
  const endpoint = endpoints.find((each) => each.operationId === operationId);
  if (!endpoint) throw new Error(`There is no operation ${operationId}.`);
  const samples = codeSamples(endpoint, { path: {}, query: {}, body: undefined, ...call } as never, BASE_URL);
  return Object.fromEntries(samples.map(({ lang, source }) => [lang, source]));
};

test('a curl sample is one command that URL-encodes non-ASCII values and quotes them for the shell', (t) => {
  const { curl } = samplesOf('searchListings', { query: { city: 'riyadh', listing_type: 'rent' } });
  t.is(
    curl,
    `curl -sS --fail-with-body \\
  -H "Authorization: Bearer $KEY" \\
  '${BASE_URL}/listings?city=riyadh&listing_type=rent'`,
  );
  t.regex(
    samplesOf('suggest', { query: { q: "حي 'النرجس'" } }).curl ?? '',
    /-G .*--data-urlencode 'q=حي '\\''النرجس'\\'''/s,
  );
});

test('samples of administration use an admin key, and public operations have only a curl sample', (t) => {
  for (const source of Object.values(samplesOf('listKeys'))) t.regex(source, /\bADMIN_KEY\b/);
  t.deepEqual(samplesOf('healthz'), { curl: `curl -sS --fail-with-body \\\n  'https://api.example.com/healthz'` });
});
