// This module is loaded before every test file. All property tests in a test run use the same seed, which is printed
// after a failure.
import fc from 'fast-check';

const seed = process.env.PROPERTY_SEED;
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
