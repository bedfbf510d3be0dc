import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import { UsageError } from "../../../../usage-error.ts";
import { openTopics } from "../open-topics.ts";
import { editTopic } from "./edit-topic.ts";
import { findEditor, openEditor } from "./open-editor.ts";

/** `caliban memory edit WHAT`: opens an instruction file directly, and a copy of a topic, which is checked before saving. */
export async function editMemory(invocation: Invocation): Promise<CommandResult> {
  const [what = ""] = invocation.operands;
  if (what !== "global" && what !== "project") {
    const editor = findEditor(
      invocation,
      `use: ${invocation.host.command("memory write <slug> --replace")}`,
    );
    return await editTopic(invocation, what, editor);
  }
  const topics = await openTopics(invocation);
  const path =
    what === "global" ? topics.locations.globalFile : projectFile(topics.project.workspace.root);
  if (path === undefined)
    throw new UsageError("no home directory found, so there is no global file; set HOME");
  const editor = findEditor(invocation, `write to ${topics.displayPath(path)} directly`);
  await createParent(path);
  const failure = await openEditor(invocation, editor, path);
  if (failure !== undefined) return { stdout: "", stderr: [failure], exitCode: EXIT.failed };
  const stdout = invocation.json
    ? `${terminalSafeJson({ kind: "opened", path })}\n`
    : `edited ${topics.displayPath(path)}\n`;
  return { stdout, stderr: topics.warnings, exitCode: EXIT.done };
}

/** The instruction files of a project. The first existing one is opened. */
const PROJECT_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md"];

function projectFile(root: string): string {
  const existing = PROJECT_FILES.find((name) => existsSync(join(root, name)));
  return join(root, existing ?? "CLAUDE.md");
}

async function createParent(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    const message = `cannot create ${terminalSafeLine(dirname(path))}: system error ${code}`;
    throw new MemoryError("UNWRITABLE", message, { cause });
  }
}
