import { existsSync } from "node:fs";
import { terminalSafeLine } from "@caliban/common";
import { applicableEntries, readEnforced } from "../../../enforced/enforced-store.ts";
import type { Host } from "../../../host.ts";
import { displayPath } from "../../user-paths.ts";
import type { OpenTopics } from "./open-topics.ts";

/**
 * One line for each enforced rule whose topic is gone, or whose project is: they stay in force, so the user should know.
 */
export async function orphanedRules(
  { store, project }: Pick<OpenTopics, "store" | "project">,
  host: Host,
): Promise<readonly string[]> {
  const { entries } = readEnforced(project);
  if (entries.length === 0) return [];
  const slugs = new Set<string>((await store.list()).topics.map(({ slug }) => slug));
  const here = applicableEntries(project, entries).filter(({ memory }) => !slugs.has(memory));
  const moved = entries.filter(
    (entry) => entry.project !== undefined && !existsSync(entry.project),
  );
  const name = ({ effect, rule }: (typeof entries)[number]): string =>
    terminalSafeLine(`${effect} ${rule}`);
  return [
    ...here.map((entry) => {
      const off = `memory enforce ${entry.memory}${entry.project === undefined ? " --user" : ""} --off`;
      return `${name(entry)} is enforced, but its topic ${terminalSafeLine(entry.memory)} is gone. Lift it with: ${host.command(off)}`;
    }),
    ...moved.map(
      (entry) =>
        `${name(entry)} is enforced for ${displayPath(host, entry.project ?? "")}, which no longer exists`,
    ),
  ];
}
