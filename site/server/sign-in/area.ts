import type { InternalCall } from '#src/http/internal-caller.ts';
import type { Site } from '../page.ts';
import type { PrivateArea } from '../private-area.ts';

/** Pages of sign-in and sign-up. */
export function signInArea(_site: Site, _options: { call: InternalCall }): PrivateArea {
  return {
    paths: /^\/(sign-in|sign-out|sign-up|claim)(\/|$)/,
    async serve() {},
  };
}
