import { parseCommandText } from "@caliban/common";
import type { SeenResult } from "../tool.ts";

/** The text of a command's file in a message: someone else wrote it, as if a tool had read it. */
export function seenInCommand(message: string): SeenResult | undefined {
  const command = parseCommandText(message);
  if (command === undefined) return undefined;
  const { kind, body } = command;
  return kind === "skill"
    ? { tool: "Skill", permission: "skill.read", text: body }
    : { tool: "Command", permission: "command.read", text: body };
}
