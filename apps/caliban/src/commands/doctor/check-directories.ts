import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { userDirectories } from "@caliban/common";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { shownPath } from "./shown-path.ts";

type Kind = "config" | "data" | "state" | "cache";

/** Bits that others must not have: what is remembered is nobody else's, and nobody else's file is run or obeyed. */
const FORBIDDEN_BITS: Readonly<Record<Kind, number>> = {
  config: 0o022,
  data: 0o077,
  state: 0o077,
  cache: 0o022,
};

/** The four places of a person's files: there, writable, and closed to others. */
export async function checkDirectories(host: Host): Promise<readonly Check[]> {
  const directories = userDirectories(host);
  const kinds: readonly Kind[] = ["config", "data", "state", "cache"];
  const checks = await Promise.all(
    kinds.map((kind) => checkDirectory(host, kind, directories[kind])),
  );
  const ignored = directories.ignoredVariables.map((variable) =>
    problem(
      variable,
      "It is set, but not to a full path, so it does not count.",
      `unset ${variable}`,
    ),
  );
  return [...checks, ...ignored];
}

async function checkDirectory(host: Host, kind: Kind, path: string | undefined): Promise<Check> {
  if (path === undefined)
    return problem(kind, "There is no home directory, so nothing can be kept.", "Set HOME.");
  const shown = shownPath(host, path);
  try {
    const status = await stat(path);
    if (!status.isDirectory())
      return problem(kind, `${shown} is not a directory.`, "Move it out of the way.");
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return judgeMode(host, { kind, shown, mode: status.mode & 0o777 });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return await checkMissing(host, { kind, shown, path });
    const reason = errorCode(error);
    if (reason === undefined) throw error;
    return problem(
      kind,
      `${shown} cannot be used (${reason}).`,
      `Make it readable and writable for you: ls -ld ${shown}`,
    );
  }
}

/** What is not there is made when it is needed, where it can be. */
async function checkMissing(
  host: Host,
  { kind, shown, path }: { readonly kind: Kind; readonly shown: string; readonly path: string },
): Promise<Check> {
  const parent = await firstThere(dirname(path));
  const reason = await whyClosed(parent);
  if (reason === undefined)
    return note(kind, `${shown} is not there yet; it is made when it is needed.`);
  const place = shownPath(host, parent);
  return problem(
    kind,
    `${shown} is not there and cannot be made: nothing can be written in ${place} (${reason}).`,
    `Make it writable for you: ls -ld ${place}`,
  );
}

async function firstThere(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) return path;
    return await firstThere(dirname(path));
  }
}

async function whyClosed(directory: string): Promise<string | undefined> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const reason = errorCode(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

function judgeMode(
  { platform }: Host,
  { kind, shown, mode }: { readonly kind: Kind; readonly shown: string; readonly mode: number },
): Check {
  // Windows keeps no such bits.
  if (platform === "win32" || (mode & FORBIDDEN_BITS[kind]) === 0) return ok(kind, shown);
  const octal = mode.toString(8).padStart(4, "0");
  const what = (mode & 0o022) === 0 ? "read" : "written";
  return problem(kind, `${shown} can be ${what} by others (${octal}).`, `chmod go-rwx ${shown}`);
}
