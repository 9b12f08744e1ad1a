import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createS3, type S3Access } from './s3-client.ts';

export type LinkSigner = ReturnType<typeof createLinkSigner>;

/** For the public address of the buckets. Signing sends no requests. */
export function createLinkSigner(config: S3Access & { publicEndpoint: string }) {
  const client = createS3({ ...config, endpoint: config.publicEndpoint });
  /** Signs a link that is valid for `seconds` from `now`, in epoch milliseconds. */
  return (bucket: string, key: string, seconds: number, now: number): Promise<string> =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
      expiresIn: seconds,
      signingDate: new Date(now),
    });
}
