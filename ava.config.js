export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  timeout: '120s',
  concurrency: 2,
};
