import { resolve } from "node:path";
import type { Diagnostic } from "@caliban/common";
import { findWayOut } from "@caliban/common/node";

/**
 * Why an export must not be written to a path: a link in the workspace leads out of it, and the repository may have made
 * that link. `undefined` for any other path.
 */
export function refuseOutside(
  workspaceRoot: string,
  path: string,
): Diagnostic<"OUTSIDE_WORKSPACE"> | undefined {
  const target = findWayOut(workspaceRoot, resolve(path));
  if (target === undefined) return undefined;
  const message = `it leads to ${target}, outside the workspace. To write there, pass that path`;
  return { code: "OUTSIDE_WORKSPACE", message, path };
}
