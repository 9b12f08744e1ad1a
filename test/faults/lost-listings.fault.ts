import type { Fault } from './fault.ts';
import { deleteBehind, lostAndRebuilt } from './indexes.ts';

export const fault: Fault = {
  title: 'the listings index is deleted',
  async happen({ main, second, key }) {
    await deleteBehind('listings');
    await lostAndRebuilt([main.url, second.url], '/v1/listings/count?city=riyadh&listing_type=sale', key);
  },
};
