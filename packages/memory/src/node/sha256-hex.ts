import type * as Crypto from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads the crypto module on first use: it costs milliseconds, and only an over-long path needs it. */
export function sha256Hex(text: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what require gives has no type
  const { createHash } = require("node:crypto") as typeof Crypto;
  return createHash("sha256").update(text).digest("hex");
}
