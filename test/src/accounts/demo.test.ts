import { randomBytes } from 'node:crypto';
import { seedDemo } from '#src/accounts/demo.ts';
import { ROLES } from '#src/accounts/roles.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

test('the demo organizations of a start keep their keys and their team at the next one', async (t) => {
  const { pool, config } = app.services;
  const keys = await seedDemo(pool, config.keyPepper, randomBytes);
  t.deepEqual(await seedDemo(pool, config.keyPepper, randomBytes, keys), keys);
  const { body: members } = await app.request('/v1/organization/members', { key: keys.admin });
  t.deepEqual(members.data.map(({ role }: { role: string }) => role).sort(), ROLES.toSorted());
  const { body: projects } = await app.request('/v1/organization/projects', { key: keys.admin });
  t.deepEqual(projects.data.map(({ name }: { name: string }) => name).sort(), ['Reports', 'Website']);
});
