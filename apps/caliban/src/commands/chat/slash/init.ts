import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { nodeDisk, writeNewFile } from "@caliban/common/node";
import { draftInstructions } from "./draft-instructions.ts";
import { lookAtProject } from "./look-at-project.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

const INSTRUCTION_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md"];

/** `/init`: a CLAUDE.md from what is seen in the workspace without a model. Shown first, written on a yes. */
export async function init({ conversation, person }: SlashInput): Promise<SlashResult> {
  const { workspaceRoot } = conversation.receipt();
  const existing = INSTRUCTION_FILES.find((name) => existsSync(join(workspaceRoot, name)));
  if (existing !== undefined) {
    const text = `${existing} is there already and stays as it is; \`/memory edit project\` opens it.`;
    return { kind: "mistake", text };
  }
  const draft = draftInstructions(await lookAtProject(workspaceRoot));
  if (!(await person.confirm("Write this to CLAUDE.md?", draft))) {
    return { kind: "text", text: "Nothing was written." };
  }
  await writeNewFile(nodeDisk, join(workspaceRoot, "CLAUDE.md"), draft);
  const text = `Wrote CLAUDE.md in ${terminalSafeLine(workspaceRoot)}. /memory edit project opens it, /memory reload puts it into this conversation.`;
  return { kind: "text", text };
}
