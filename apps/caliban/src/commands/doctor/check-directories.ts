import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { userDirectories } from "@caliban/common";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import { abbreviatePath } from "../user-paths.ts";
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
export async function checkDirectories(host: Host): Promise<readonly Check[]> {
  const directories = userDirectories(host);
  const kinds: readonly Kind[] = ["config", "data", "state", "cache"];
  const checks = await Promise.all(
    kinds.map((kind) => checkDirectory(host, kind, directories[kind])),
  );
  const ignored = directories.ignoredVariables.map((variable) =>
    problem(variable, "ignored, because it is not an absolute path", `unset ${variable}`),
  );
  return [...checks, ...ignored];
}

async function checkDirectory(host: Host, kind: Kind, path: string | undefined): Promise<Check> {
  if (path === undefined)
    return problem(kind, "no home directory found, so nothing can be stored", "Set HOME.");
  const shown = abbreviatePath(host, path);
  try {
    const status = await stat(path);
    if (!status.isDirectory())
      return problem(kind, `${shown} is not a directory`, "Move it out of the way.");
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return checkMode(host, { kind, shown, mode: status.mode & 0o777 });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return await checkMissing(host, { kind, shown, path });
    const code = errorCode(error);
    if (code === undefined) throw error;
    return problem(
      kind,
      `cannot use ${shown} (${code})`,
      `Make it readable and writable for you: ls -ld ${shown}`,
    );
  }
}

/** A missing directory is created on demand, if its parent allows that. */
async function checkMissing(
  host: Host,
  { kind, shown, path }: { readonly kind: Kind; readonly shown: string; readonly path: string },
): Promise<Check> {
  const parent = await nearestExisting(dirname(path));
  const code = await whyUnwritable(parent);
  if (code === undefined) return note(kind, `${shown} does not exist yet; created when needed`);
  const shownParent = abbreviatePath(host, parent);
  return problem(
    kind,
    `cannot create ${shown}: ${shownParent} is not writable (${code})`,
    `Make it writable for you: ls -ld ${shownParent}`,
  );
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) return path;
    return await nearestExisting(dirname(path));
  }
}

async function whyUnwritable(directory: string): Promise<string | undefined> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
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
