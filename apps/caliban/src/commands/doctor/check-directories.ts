import { constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { userDirectories } from "@caliban/common";
import type { Host } from "../../host.ts";
import { abbreviatePath } from "../user-paths.ts";
import { accessError } from "./access.ts";
import { type Check, note, ok, problem } from "./check.ts";

type Kind = "config" | "data" | "state" | "cache";

/** Permissions that others must not have: memory is private, and no one else may change what is obeyed or executed. */
const FORBIDDEN_BITS: Readonly<Record<Kind, number>> = {
  config: 0o022,
  data: 0o077,
  state: 0o077,
  cache: 0o022,
};

/** Checks that the user's four directories exist, are writable, and are closed to others. */
export function checkDirectories(host: Host): readonly Check[] {
  const directories = userDirectories(host);
  const kinds: readonly Kind[] = ["config", "data", "state", "cache"];
  return [
    ...kinds.map((kind) => checkDirectory(host, kind, directories[kind])),
    ...directories.ignoredVariables.map((variable) =>
      problem(variable, "ignored, because it is not an absolute path", `unset ${variable}`),
    ),
  ];
}

function checkDirectory(host: Host, kind: Kind, path: string | undefined): Check {
  if (path === undefined)
    return problem(kind, "no home directory found, so nothing can be stored", "Set HOME.");
  const shown = abbreviatePath(host, path);
  const absent = accessError(path, constants.F_OK);
  if (absent === "ENOENT") return checkMissing(host, { kind, shown, path });
  const status = absent === undefined ? statSync(path) : undefined;
  if (status?.isDirectory() === false)
    return problem(kind, `${shown} is not a directory`, "Move it out of the way.");
  const code = absent ?? accessError(path, constants.R_OK | constants.W_OK | constants.X_OK);
  if (status !== undefined && code === undefined)
    return checkMode(host, { kind, shown, mode: status.mode & 0o777 });
  const remedy = `Make it readable and writable for you: ls -ld ${shown}`;
  return problem(kind, `cannot use ${shown} (${code})`, remedy);
}

/** A missing directory is created on demand, if its parent allows that. */
function checkMissing(
  host: Host,
  { kind, shown, path }: { readonly kind: Kind; readonly shown: string; readonly path: string },
): Check {
  const parent = nearestExisting(dirname(path));
  const code = accessError(parent, constants.W_OK | constants.X_OK);
  if (code === undefined) return note(kind, `${shown} does not exist yet; created when needed`);
  const shownParent = abbreviatePath(host, parent);
  return problem(
    kind,
    `cannot create ${shown}: ${shownParent} is not writable (${code})`,
    `Make it writable for you: ls -ld ${shownParent}`,
  );
}

function nearestExisting(path: string): string {
  const isMissing = accessError(path, constants.F_OK) === "ENOENT" && dirname(path) !== path;
  return isMissing ? nearestExisting(dirname(path)) : path;
}

function checkMode(
  { platform }: Host,
  { kind, shown, mode }: { readonly kind: Kind; readonly shown: string; readonly mode: number },
): Check {
  // Windows has no such bits.
  if (platform === "win32" || (mode & FORBIDDEN_BITS[kind]) === 0) return ok(kind, shown);
  const octal = mode.toString(8).padStart(4, "0");
  const ability = (mode & 0o022) === 0 ? "readable" : "writable";
  return problem(kind, `${shown} is ${ability} by others (${octal})`, `chmod go-rwx ${shown}`);
}
