import { lstatSync, realpathSync } from "node:fs";
import { errorCode } from "@caliban/common/node";

/** Where a path really leads. A link to nothing is unreadable, not missing: somebody put it there. */
export type RealPath =
  | { readonly kind: "real"; readonly path: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly message: string };

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** Follows every link of a path. */
export function findRealPath(path: string): RealPath {
  try {
    return { kind: "real", path: realpathSync.native(path) };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (!ABSENT.has(code)) return { kind: "unreadable", message: messageFor(code) };
    if (!isLink(path)) return { kind: "missing" };
    return { kind: "unreadable", message: "it is a link to nothing" };
  }
}

/** What to say of a system error. */
export function messageFor(code: string): string {
  const words: ReadonlyMap<string, string> = new Map([
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["ELOOP", "it is a loop of symbolic links"],
    ["ENOTDIR", "it is not a directory"],
  ]);
  return words.get(code) ?? `the system says ${code}`;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
