import { terminalSafeLine } from "@caliban/common";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/skills`: every skill, whose it is and what it is for. */
export async function skills({ conversation }: SlashInput): Promise<SlashResult> {
  const all = conversation.skills();
  if (all.length === 0) {
    return {
      kind: "text",
      text: "There are no skills. A directory .caliban/skills/<name> with a SKILL.md makes one.",
    };
  }
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, origin, description, alwaysLoaded }) => {
    const place = alwaysLoaded === true ? `${origin}, always loaded` : origin;
    return `${name.padEnd(width)}  ${terminalSafeLine(description)} (${place})`;
  });
  return { kind: "text", text: lines.join("\n") };
}
