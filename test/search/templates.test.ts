import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

test('a template that an earlier release installed does not change a new index', async (t) => {
  const { client, prefix, open, remove } = ownIndexes();
  t.teardown(remove);
  const analyzer = { removed: { type: 'custom', tokenizer: 'standard' } };
  await client.transport.request({
    method: 'PUT',
    path: `/_index_template/${prefix}listings`,
    body: {
      index_patterns: [`${prefix}listings-20*`],
      template: {
        settings: { analysis: { analyzer } },
        mappings: { properties: { body: { type: 'text', analyzer: 'removed' } } },
      },
    },
  });
  const { alias } = await open();
  const { body } = await client.indices.getMapping({ index: alias });
  const [{ mappings }] = Object.values(body) as [{ mappings: { properties: object } }];
  t.false('body' in mappings.properties);
});
