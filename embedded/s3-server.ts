// The process of the embedded S3 server; `s3.ts` starts it. Its settings come as JSON in S3_SERVER, so that the
// secret is not in the list of processes.
import { createRequire } from 'node:module';

interface Settings {
  port: number;
  directory: string;
  accessKeyId: string;
  secretAccessKey: string;
  buckets: string[];
}

interface Account {
  createKeyPair(accessKeyId: string, secretAccessKey: string): void;
  revokeAccessKey(accessKeyId: string): void;
}

type Server = new (options: {
  address: string;
  port: number;
  directory: string;
  silent: boolean;
  configureBuckets: { name: string }[];
}) => { run(): Promise<unknown>; close(): Promise<void> };

// The package has no types and is CommonJS.
const require = createRequire(import.meta.url);
const S3rver = require('s3rver') as Server;
const { DUMMY_ACCOUNT } = require('s3rver/lib/models/account') as { DUMMY_ACCOUNT: Account };

const { port, directory, accessKeyId, secretAccessKey, buckets } = JSON.parse(process.env.S3_SERVER ?? '') as Settings;
DUMMY_ACCOUNT.revokeAccessKey('S3RVER');
DUMMY_ACCOUNT.createKeyPair(accessKeyId, secretAccessKey);

const configureBuckets = buckets.map((name) => ({ name }));
const server = new S3rver({ address: '127.0.0.1', port, directory, silent: true, configureBuckets });
process.once('SIGTERM', () => process.exit(0));
await server.run();
