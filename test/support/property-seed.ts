import * as fc from "fast-check";

/**
 * Properties draw the same cases in every run, so that a change passes or fails because of what it changes.
 * `PROPERTY_SEED=any` draws new ones; a number repeats the run whose failure printed that seed.
 */
const SEED = 1;

const { PROPERTY_SEED = String(SEED) } = process.env;
if (PROPERTY_SEED !== "any") fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
