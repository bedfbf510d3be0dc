import { abbreviateHome, pathStyleOf } from "@caliban/common";
import type { Host } from "../../host.ts";

/** A path as people read it, with `~` for the home. */
export function shownPath(
  { platform, home }: Pick<Host, "platform" | "home">,
  path: string,
): string {
  return abbreviateHome(pathStyleOf(platform), path, home);
}
