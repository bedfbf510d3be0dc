import { realpathSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** The real path of a file or directory; `undefined` when there is none that can be reached. */
export function realPathIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
