import { terminalSafeLine } from "@caliban/common";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/skills`: lists every skill with its purpose and origin. */
export async function skills({ conversation }: SlashInput): Promise<SlashResult> {
  const all = conversation.skills();
  if (all.length === 0) {
    return {
      kind: "text",
      text: "No skills found. To add one, create .caliban/skills/<name>/SKILL.md",
    };
  }
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, origin, description, alwaysLoaded }) => {
    const source = alwaysLoaded === true ? `${origin}, always loaded` : origin;
    return `${name.padEnd(width)}  ${terminalSafeLine(description)} (${source})`;
  });
  return { kind: "text", text: lines.join("\n") };
}
