/** Side of the greyscale raster that the perceptual hash is computed from. */
export const RASTER_SIDE = 32;
