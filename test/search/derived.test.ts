import { prepareDerivedIndexes, syncDerivedIndex, writeDerivedIndex } from '#search/derived-index/index.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
test.after(() => own.remove());

const behind = async (alias: string): Promise<string[]> =>
  Object.keys(await own.client.send<object>('GET', `/_alias/${alias}*`));

test('an index with a former alias continues to serve, and is deleted when a run has filled a new index', async (t) => {
  const former = `${own.prefix}listing-months`;
  const old = `${former}-v3`;
  await own.client.send('PUT', `/${old}`, { body: { aliases: { [former]: {} } } });
  await prepareDerivedIndexes(own.client);
  await prepareDerivedIndexes(own.client);
  const { history } = own.client.aliases;
  t.deepEqual(await behind(history), [old]);
  // Processes of the earlier release still read the former alias.
  t.deepEqual(await behind(former), [old]);

  const write = async (alias: string) => {
    await writeDerivedIndex(own.client, alias, [
      { op: 'index', id: '1-1', listing: 1, version: 1, json: '{"filter":{}}' },
    ]);
    return 1;
  };
  const recordNext = async () => {};
  const { mark } = await syncDerivedIndex(own.client, 'history', { filled: null, recordNext }, write);
  t.deepEqual(await behind(history), [`${history}-v1`]);
  t.deepEqual(await behind(former), []);
  const filled = { mark, uuid: null };
  t.is((await syncDerivedIndex(own.client, 'history', { filled, recordNext }, write)).mark, mark);
});
