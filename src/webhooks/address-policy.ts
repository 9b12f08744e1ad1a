import type { AddressPolicy } from '#outbound/address.ts';
import type { Config } from '#src/config.ts';

/**
 * Returns the policy for addresses that webhooks may call. It applies when an endpoint is registered and to each
 * delivery.
 */
export const webhookAddresses = ({ webhookPrivateHosts }: Pick<Config, 'webhookPrivateHosts'>): AddressPolicy => ({
  httpsOnly: true,
  defaultPortOnly: true,
  privateHosts: webhookPrivateHosts,
});
