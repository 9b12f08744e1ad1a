import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AddressError, isPublic } from './address.ts';

/** Finds every address of a name, A and AAAA. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (name) => dns.lookup(name, { all: true });

/**
 * Resolves names for a connection that is being made: it goes to the very addresses that were checked here, so that a
 * name cannot mean one host when it is checked and another when it is called. A name with any address that is not
 * public is refused as a whole.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const first = addresses[0];
        if (!first || !addresses.every(({ address }) => isPublic(address)))
          callback(new AddressError(`${name} has an address that is not public`), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
