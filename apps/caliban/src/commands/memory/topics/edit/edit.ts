import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import { UsageError } from "../../../../usage-error.ts";
import { editTopic } from "./edit-topic.ts";
import { editorOf, openEditor } from "./open-editor.ts";
import { openTopics } from "../open-topics.ts";

/** The names of a project's instruction files, the one that is opened when it is there first. */
const PROJECT_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md"];

/** `caliban memory edit WHAT`: a person's own file as it is, a topic with a check before it counts. */
export async function editMemory(invocation: Invocation): Promise<CommandResult> {
  const [what = ""] = invocation.operands;
  const editor = editorOf(invocation);
  if (what !== "global" && what !== "project") return await editTopic(invocation, what, editor);
  const topics = await openTopics(invocation);
  const path =
    what === "global" ? topics.locations.globalFile : projectFile(topics.project.workspace.root);
  if (path === undefined) {
    throw new UsageError("no home directory is known, so there is no global file; set HOME");
  }
  await makeParent(path);
  const failed = await openEditor(invocation, editor, path);
  if (failed !== undefined) return failed;
  const stdout = invocation.json
    ? `${terminalSafeJson({ kind: "opened", path })}\n`
    : `edited ${topics.shown(path)}\n`;
  return { stdout, stderr: topics.warnings, exitCode: EXIT.done };
}

function projectFile(root: string): string {
  const found = PROJECT_FILES.find((name) => existsSync(join(root, name)));
  return join(root, found ?? "CLAUDE.md");
}

async function makeParent(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    const sentence = `${terminalSafeLine(dirname(path))} cannot be made (${code})`;
    throw new MemoryError("UNWRITABLE", sentence, { cause });
  }
}
