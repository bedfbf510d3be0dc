// Only imported dynamically: most calls show nothing.
export { recordUse } from "@caliban/memory/node";
