import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { spellCommands, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "@caliban/memory";
import { editTopicFile } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { openInEditor } from "../../user-editor.ts";
import { output } from "../output.ts";
import { findTopicName } from "./find-topic-name.ts";
import { isUserScope, openTopics, openTopicsForWriting } from "./open-topics.ts";
import { topicNotFound } from "./topic-output.ts";

/** `caliban memory edit WHAT`: opens an instruction file directly, and a copy of a topic, which is checked before saving. */
export async function editMemory(invocation: Invocation): Promise<CommandResult> {
  const [what = ""] = invocation.operands;
  return !isUserScope(invocation) && (what === "global" || what === "project")
    ? await editInstructions(invocation, what)
    : await editTopic(invocation, what);
}

async function editInstructions(
  invocation: Invocation,
  what: "global" | "project",
): Promise<CommandResult> {
  const topics = await openTopics(invocation);
  const path = what === "global" ? topics.locations.globalFile : projectFile(topics.workspaceRoot);
  if (path === undefined)
    throw new UsageError("no home directory found, so there is no global file; set HOME");
  const shown = topics.displayPath(path);
  const openEditor = findEditor(invocation, `write to ${shown} directly`);
  await createParent(path);
  const failure = await openEditor(path);
  if (failure !== undefined) return { stdout: "", stderr: [failure], exitCode: EXIT.failed };
  const data = { kind: "opened", path };
  return output(invocation, { data, text: `edited ${shown}\n`, stderr: topics.warnings });
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

async function editTopic(invocation: Invocation, typed: string): Promise<CommandResult> {
  const { host, options } = invocation;
  const flag = isUserScope(invocation) ? " --user" : "";
  const openEditor = findEditor(
    invocation,
    `use: ${host.command(`memory write <slug> --replace${flag}`)}`,
  );
  const topics = await openTopicsForWriting(invocation);
  const { displayPath } = topics;
  const name = await findTopicName(invocation, topics, typed);
  const edited = await editTopicFile(topics, {
    name,
    allowSecrets: options["allowSecrets"] === true,
    edit: async ({ slug, path, isContinued, olderPaths }) => {
      for (const older of olderPaths)
        host.report(
          `an unsaved edit of an older version of ${terminalSafeLine(slug)} is in ${displayPath(older)}; copy what you need, then delete it`,
        );
      if (isContinued) host.report(`continuing the unsaved edit in ${displayPath(path)}`);
      return await openEditor(path);
    },
  });
  if (edited === undefined) return await topicNotFound(invocation, name, topics);
  const { kind, slug, message, draft } = edited;
  const again = host.command(`memory edit ${terminalSafeLine(slug)}${topics.userFlag}`);
  const kept =
    draft === undefined
      ? ""
      : `. Your edit is kept in ${displayPath(draft)}. Continue with: ${again}, or delete the file to start over`;
  const line = `${spellCommands(edited, host.command)}${kept}`;
  if (kind === "failed") return { stdout: "", stderr: [line], exitCode: EXIT.failed };
  const isDone = kind === "edited" || kind === "unchanged" || kind === "gone";
  return output(invocation, {
    data: { kind, slug, sentence: message, ...(isDone ? {} : { draft }) },
    text: isDone ? `${line}\n` : "",
    stderr: isDone ? topics.warnings : [...topics.warnings, line],
    exitCode: isDone ? EXIT.done : EXIT.failed,
  });
}

/**
 * Opens a file in the user's editor and waits for it. Returns a message if the editor fails, without a period.
 * @param inScripts what to do without a terminal
 * @throws UsageError when there is no terminal for it
 */
export function findEditor(
  { host }: Pick<Invocation, "host">,
  inScripts: string,
): (path: string) => Promise<string | undefined> {
  // An editor without a terminal would wait forever.
  if (!host.isInteractive())
    throw new UsageError(`edit requires a terminal; in scripts, ${inScripts}`);
  return async (path) => await openInEditor(host, path);
}
