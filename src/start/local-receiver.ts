/** Address of the receiver that the webhooks guide uses. */
const RECEIVER = '127.0.0.1:9100';

/**
 * Returns configuration that `npm start` adds so that the webhooks guide works as written. An installation that other
 * machines can reach does not get the exception, because its admin keys must not give access to services on the
 * machine. Pure.
 */
export function localReceiver(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const local = /^(127(\.\d{1,3}){3}|localhost|::1)$/.test(env.HOST || '127.0.0.1') && !env.BASE_URL && !env.SITE_URL;
  // An empty variable disables the exception.
  return local && env.WEBHOOK_PRIVATE_HOSTS === undefined ? { WEBHOOK_PRIVATE_HOSTS: RECEIVER } : {};
}
