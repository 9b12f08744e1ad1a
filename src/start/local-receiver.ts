/** Address of the receiver in the webhooks guide. */
const RECEIVER = '127.0.0.1:9100';

/**
 * Returns configuration that `npm start` adds, so that the webhooks guide works as written. An installation that other
 * machines can reach gets no exception, because its admin keys must not give access to services of the machine. Pure.
 */
export function localReceiver(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const local = /^(127(\.\d{1,3}){3}|localhost|::1)$/.test(env.HOST || '127.0.0.1') && !env.BASE_URL && !env.SITE_URL;
  // An empty variable removes the exception.
  return local && env.WEBHOOK_PRIVATE_HOSTS === undefined ? { WEBHOOK_PRIVATE_HOSTS: RECEIVER } : {};
}
