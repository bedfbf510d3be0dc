import * as fc from "fast-check";

/**
 * Properties draw the same cases each time, so that a change lands or fails because of what it changes. With
 * `PROPERTY_SEED=any` they draw new ones; a number takes up the seed that a failure named.
 */
const SEED = 1;

const { PROPERTY_SEED = String(SEED) } = process.env;
if (PROPERTY_SEED !== "any") fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
