import { demoSettings } from '#app/start/configure.ts';
import { test } from '#test/test.ts';

test('an installation on loopback accepts the local receiver of the webhooks guide', (t) => {
  for (const env of [{}, { HOST: '127.0.0.1' }, { HOST: 'localhost' }, { HOST: '::1', PORT: '9000' }])
    t.is(demoSettings(env).WEBHOOK_PRIVATE_HOSTS, '127.0.0.1:9100');
});

test('an installation reachable from other machines rejects the local receiver by default', (t) => {
  for (const env of [
    { HOST: '0.0.0.0' },
    { HOST: '127.0.0.1.example.com' },
    { BASE_URL: 'https://api.example.com/v1' },
    { SITE_URL: 'https://example.com' },
    { WEBHOOK_PRIVATE_HOSTS: '' },
    { WEBHOOK_PRIVATE_HOSTS: 'hooks.internal:443' },
  ])
    t.is(demoSettings(env).WEBHOOK_PRIVATE_HOSTS, undefined);
});
