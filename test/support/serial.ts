import ava from 'ava';

/** Declares tests that run one after another: the `test` of files in which all tests share state. */
export const test = ava.serial;
