/** Side of the greyscale raster for the perceptual hash. */
export const RASTER_SIDE = 32;
