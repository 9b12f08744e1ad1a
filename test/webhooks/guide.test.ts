import { test } from '#test/test.ts';
import { checkReceiver, JAVASCRIPT, sentCases } from './receiver-code.ts';

test('the JavaScript receiver code in the guide distinguishes valid from invalid signatures', async (t) =>
  checkReceiver(t, JAVASCRIPT, await sentCases('webhooks_guide')));
