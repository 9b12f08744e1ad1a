import type { Job } from '#postgres/job.ts';
import type { PhotoPipeline } from '../worker.ts';

/**
 * Checks a daily sample of the photos of live listings, and fetches lost ones again. If more are missing than isolated
 * losses explain, it repairs nothing and fails.
 */
export const verifyPhotos = (photos: PhotoPipeline, signal: AbortSignal): Job => ({
  name: 'verify-photos',
  schedule: '12 1 * * *',
  run: async () => {
    const { checked, missing, held, restored, replaced, failed } = await photos.verifySample(signal);
    if (held)
      throw new Error(
        `held: ${missing} of ${checked} photos are missing from the CDN bucket. Check that it is the right one; then run npm run cli -- photos verify --repair --confirm-loss`,
      );
    return {
      checked,
      missing,
      restored,
      replaced,
      failed: Object.values(failed).reduce((sum, count) => sum + count, 0),
    };
  },
});
