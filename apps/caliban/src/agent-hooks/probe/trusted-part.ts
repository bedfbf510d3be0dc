import { parse } from "jsonc-parser";
import { isRecord } from "@caliban/common";
import type { Host } from "../../host.ts";
import type { AgentTarget } from "../install/agent-targets.ts";
import { hookCommand, hookCommandLine } from "../install/hook-command.ts";

interface InstalledHooks {
  /** The file with the hooks. */
  readonly text: string;
  /** The events with a hook. */
  readonly installed: readonly string[];
}

/**
 * The part of a file in a workspace that may be run in a test: calls of caliban as `hook install` writes them. Anyone who
 * writes to the repository can put other commands next to them, or into something that looks like them. `undefined` if
 * nothing is left.
 */
export function trustedPart(
  host: Pick<Host, "env" | "platform" | "program">,
  { agent, content }: Pick<AgentTarget, "agent" | "content">,
  { text, installed }: InstalledHooks,
): InstalledHooks | undefined {
  const byName = ["caliban", "hook", "run", agent];
  if (content.kind === "plugin") {
    const own = [hookCommand(host, agent), byName].map(content.render);
    return own.includes(text) ? { text, installed } : undefined;
  }
  const lines = new Set([hookCommandLine(host, agent), `${byName.join(" ")} || true`]);
  const file: unknown = parse(text, [], { allowTrailingComma: true });
  const found = isRecord(file) && isRecord(file["hooks"]) ? Object.entries(file["hooks"]) : [];
  const hooks = Object.fromEntries(
    found
      .map(([event, groups]) => [event, ownGroups(groups, lines)] as const)
      .filter(([, groups]) => groups.length > 0),
  );
  const events = installed.filter((event) => Object.hasOwn(hooks, event));
  if (events.length === 0) return undefined;
  return { text: JSON.stringify({ ...switches(file), hooks }), installed: events };
}

/** Copies only what is known of a group, because an agent may run more than its commands. */
function ownGroups(groups: unknown, lines: ReadonlySet<string>): readonly object[] {
  if (!Array.isArray(groups)) return [];
  return groups.filter(isRecord).flatMap((group) => {
    const { matcher, hooks: entries } = group;
    const own = (Array.isArray(entries) ? entries : []).filter(isRecord).flatMap((entry) => {
      const { command, timeout, name } = entry;
      if (typeof command !== "string" || !lines.has(command)) return [];
      return [
        {
          type: "command",
          command,
          ...(typeof timeout === "number" ? { timeout } : {}),
          ...(typeof name === "string" ? { name } : {}),
        },
      ];
    });
    if (own.length === 0) return [];
    return [{ ...(typeof matcher === "string" ? { matcher } : {}), hooks: own }];
  });
}

/** What turns all hooks off. */
function switches(file: unknown): object {
  const isOff = isRecord(file) ? file["disableAllHooks"] : undefined;
  return typeof isOff === "boolean" ? { disableAllHooks: isOff } : {};
}
