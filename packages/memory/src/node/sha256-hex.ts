import type * as Crypto from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads the crypto module on first use: that takes milliseconds, and most sessions never need it. */
export function sha256Hex(text: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- require is untyped
  const { createHash } = require("node:crypto") as typeof Crypto;
  return createHash("sha256").update(text).digest("hex");
}
