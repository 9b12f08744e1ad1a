import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '#src/config.ts';

type Access = Pick<Config['s3'], 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

export function createS3(config: Access): S3Client {
  return new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    forcePathStyle: true,
    // Older S3 servers reject the checksums that newer AWS SDK versions add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
