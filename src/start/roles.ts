import { openServices } from '../open-services.ts';
import { startAll } from './all.ts';
import { configure } from './configure.ts';
import { serveHttp } from './http.ts';
import type { Start } from './start.ts';
import { prepareStores } from './stores.ts';

/** What a process can be. Any number of `api` and one or more `worker` run side by side on the same stores. */
export const ROLES: Readonly<Record<string, (start: Start) => Promise<void>>> = {
  all: startAll,
  api: startApi,
};

/** Serves requests. Keeps nothing of its own. */
async function startApi({ env, cleanup, screen }: Start): Promise<void> {
  const config = configure(env);
  await prepareStores(config);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  cleanup.add('finishing requests', await serveHttp(services), 15_000);
  screen.say(`Serving ${config.baseUrl}`);
}
