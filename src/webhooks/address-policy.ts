import type { AddressPolicy } from '#outbound/address.ts';
import type { Config } from '#src/config.ts';

/** Returns the policy for addresses of webhooks, at the registration of an endpoint and for each delivery. */
export const webhookAddresses = ({ webhookPrivateHosts }: Pick<Config, 'webhookPrivateHosts'>): AddressPolicy => ({
  httpsOnly: true,
  defaultPortOnly: true,
  privateHosts: webhookPrivateHosts,
});
