import { send } from '../support/client';
import { startProcess } from '../support/service-process';
import { createDevice, QUICK, until } from './devices';
import { startReceiver } from './receiver';
import { openStream } from './sse';

test('the SDK is loaded by the first event of a subscriber, not by writes, streams and structured webhooks', async () => {
  const receiver = await startReceiver();
  const { port } = await startProcess(
    {
      ...QUICK,
      DATABASE_URL: 'sqlite::memory:',
      WEBHOOK_URLS: receiver.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    'events/sdk-child.ts',
  );
  const sdk = async (): Promise<unknown> => JSON.parse((await send(port, 'GET', '/sdk')).text);
  const stream = await openStream(port);
  await createDevice(port);
  await until(() => receiver.messages.length === 1 && stream.received.length === 1);
  expect(await sdk()).toEqual({ receives: 'function', loaded: false });
  await send(port, 'POST', '/sdk');
  await until(async () => {
    await createDevice(port);
    return ((await sdk()) as { loaded: boolean }).loaded;
  });
});
