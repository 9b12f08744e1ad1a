import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Config } from '#src/config.ts';
import { createS3 } from './client.ts';

export type LinkSigner = ReturnType<typeof createLinkSigner>;

/** For the public address of the buckets. Signing sends no requests. */
export function createLinkSigner(config: Config['s3']) {
  const client = createS3({ ...config, endpoint: config.publicEndpoint });
  /** Signs a link that is valid for `seconds` from `now`, in epoch milliseconds. */
  return (bucket: string, key: string, seconds: number, now: number): Promise<string> =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
      expiresIn: seconds,
      signingDate: new Date(now),
    });
}
