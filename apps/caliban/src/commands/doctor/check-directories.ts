import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { abbreviateHome, pathStyleOf, userDirectories } from "@caliban/common";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import { type Check, note, ok, problem } from "./check.ts";

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
  const shown = abbreviateHome(pathStyleOf(host.platform), path, host.home);
  try {
    const status = await stat(path);
    if (!status.isDirectory())
      return problem(kind, `${shown} is not a directory.`, "Move it out of the way.");
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return judgeMode(host, { kind, shown, mode: status.mode & 0o777 });
  } catch (error) {
    if (hasCode(error, "ENOENT"))
      return note(kind, `${shown} is not there yet; it is made when it is needed.`);
    const reason = errorCode(error);
    if (reason === undefined) throw error;
    return problem(
      kind,
      `${shown} cannot be used (${reason}).`,
      `Make it readable and writable for you: ls -ld ${shown}`,
    );
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
