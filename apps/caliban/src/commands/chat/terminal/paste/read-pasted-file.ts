import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { relative, sep } from "node:path";
import { errorCode, hasCode, realPathIfExists } from "@caliban/common/node";
import { checkImage, type CheckedImage, MAX_IMAGE_BYTES } from "@caliban/tools-builtin/node";

/** A dropped file: its path in the workspace, or else its bytes or what is wrong with it. */
export type PastedFile =
  | { readonly inside: string }
  | { readonly bytes: Uint8Array }
  | { readonly problem: string };

/** Checks pasted bytes against what models accept. In this file, so that the check is loaded with the first paste. */
export function checkPastedImage(bytes: Uint8Array): CheckedImage {
  return checkImage(bytes);
}

/** Reads a file that the user dropped. Dropping it is the user's permission for a file outside the workspace. */
export function readPastedFile(path: string, workspaceRoot: string): PastedFile {
  const real = realPathIfExists(path);
  if (real === undefined) return { problem: "does not exist" };
  const inside = relative(realPathIfExists(workspaceRoot) ?? workspaceRoot, real);
  if (inside !== "" && !inside.startsWith("..") && !/^(?:[A-Za-z]:|\/)/.test(inside)) {
    return { inside: inside.split(sep).join("/") };
  }
  try {
    return readBytes(real);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { problem: hasCode(error, "ENOENT") ? "does not exist" : `cannot be read (${code})` };
  }
}

function readBytes(path: string): PastedFile {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { problem: "is not a file" };
    // Enough to see that it is too large.
    const buffer = Buffer.alloc(Math.min(stats.size, MAX_IMAGE_BYTES + 1));
    return { bytes: buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, 0)) };
  } finally {
    closeSync(descriptor);
  }
}
