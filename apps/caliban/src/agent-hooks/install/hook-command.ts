import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import type { HookAgent } from "../hook-event.ts";

type CommandHost = Pick<Host, "env" | "platform" | "program">;

/** The words that call this program: its name if that is how the user calls it, so that an update changes nothing. */
export function hookCommand(
  { env, platform, program }: CommandHost,
  agent: HookAgent,
): readonly string[] {
  const words = ["hook", "run", agent];
  const file = program.at(-1) ?? "";
  const isOnPath = (env["PATH"] ?? "")
    .split(delimiter)
    .some((directory) => directory !== "" && isProgram(join(directory, "caliban"), file));
  return isOnPath && platform !== "win32" ? ["caliban", ...words] : [...program, ...words];
}

function isProgram(path: string, file: string): boolean {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    // Missing, or not a program.
    return false;
  }
  return realPathIfExists(path) === realPathIfExists(file);
}

/**
 * The same as a line for a shell. It ends with exit code 0 whatever happens: agents take others as an objection, and an
 * older caliban without this command would end with 2.
 */
export function hookCommandLine(host: CommandHost, agent: HookAgent): string {
  const line = hookCommand(host, agent).map(quoted).join(" ");
  return host.platform === "win32" ? line : `${line} || true`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll(/(["$`\\])/g, "\\$1")}"`;
}
