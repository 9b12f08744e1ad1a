// Loaded before every test file: all property tests of a run begin from one seed, which the run names when one fails.
import fc from 'fast-check';

const seed = process.env.PROPERTY_SEED;
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
