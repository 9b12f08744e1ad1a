export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  require: ['./test/support/property-seed.ts'],
  timeout: '120s',
  concurrency: 2,
};
