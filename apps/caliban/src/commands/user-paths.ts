import { resolve } from "node:path";
import { abbreviateHome, expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { Host } from "../host.ts";

type PathHost = Pick<Host, "platform" | "home">;

/** The absolute path of a path that the user typed. */
export function resolveUserPath(
  { platform, home, cwd }: PathHost & Pick<Host, "cwd">,
  path: string,
): string {
  return resolve(cwd ?? "/", expandTilde(pathStyleOf(platform), path, home));
}

/** A path with `~` for the home directory. */
export function abbreviatePath({ platform, home }: PathHost, path: string): string {
  return abbreviateHome(pathStyleOf(platform), path, home);
}

/** A path as it is printed for the user. */
export function displayPath(host: PathHost, path: string): string {
  return terminalSafeLine(abbreviatePath(host, path));
}
