import type { AddressPolicy } from '#outbound/address.ts';
import type { Config } from '#src/config.ts';

/** Where webhooks may go: the same when an endpoint is registered and on every delivery. */
export const webhookAddresses = ({ webhookPrivateHosts }: Pick<Config, 'webhookPrivateHosts'>): AddressPolicy => ({
  httpsOnly: true,
  defaultPortOnly: true,
  privateHosts: webhookPrivateHosts,
});
