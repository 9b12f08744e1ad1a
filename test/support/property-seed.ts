// Loaded before every test file: all property tests of a run use one seed, which is printed after a failure.
import fc from 'fast-check';

const seed = process.env.PROPERTY_SEED;
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
