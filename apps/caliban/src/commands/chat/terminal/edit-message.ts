import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import { promptText, type Screen, showNotice } from "@caliban/tui";
import type { Host } from "../../../host.ts";
import { openInEditor } from "../../user-editor.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Ctrl-G: opens the text of the prompt in the user's editor. Unless all of it works, the prompt stays as it is. */
export async function editMessage(screen: Screen, host: Host): Promise<void> {
  const { editor } = screen;
  const before = editor.getExpandedText();
  const path = await writeDraft(before);
  if (typeof path !== "string") {
    return showNotice(screen, "bad", `cannot write a file for the editor: ${path.problem}`);
  }
  const failure = await screen.suspend(async () => await openInEditor(host, path));
  const edited = readEdited(path);
  const problem = failure ?? edited.problem;
  // A text that is only shorter by its last line break was not edited.
  const isEdited = edited.text !== undefined && edited.text !== before.replace(/\n$/, "");
  if (problem === undefined && isEdited) editor.setText(promptText(edited.text));
  const isLost = problem !== undefined && (isEdited || edited.isUnusable);
  if (problem !== undefined) {
    const kept = isLost ? ` What you wrote is in ${path}.` : "";
    showNotice(screen, "bad", terminalSafeLine(`${problem}. The prompt is unchanged.${kept}`));
  }
  if (!isLost) await rm(dirname(path), { recursive: true, force: true });
  screen.update({});
}

/** In a directory of its own that only the user can read: the text may be private. */
async function writeDraft(text: string): Promise<string | { readonly problem: string }> {
  try {
    const path = join(await mkdtemp(join(tmpdir(), "caliban-message-")), "message.md");
    // Without a line break at the end, some editors add one and others complain.
    await writeFile(path, text === "" ? "" : `${text.replace(/\n$/, "")}\n`, { mode: 0o600 });
    return path;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { problem: `system error ${code} in ${terminalSafeLine(tmpdir())}` };
  }
}

interface EditedText {
  readonly text?: string;
  /** Why it cannot be used. */
  readonly problem?: string;
  /** Whether there is a file that is not a message. */
  readonly isUnusable?: boolean;
}

function readEdited(path: string): EditedText {
  const file = readTextFile(path, MAX_MESSAGE_BYTES);
  // The user may empty a message, but not by deleting the file.
  if (file.kind !== "text") return { problem: `cannot read the edited file: ${file.message}` };
  if (file.fileBytes > file.readBytes) {
    return { problem: "the edited text is longer than 4 MiB", isUnusable: true };
  }
  if (file.invalidAt !== undefined) {
    return {
      problem: `the edited text is not valid UTF-8 at line ${file.invalidAt.line}`,
      isUnusable: true,
    };
  }
  return { text: file.text.replace(/\n$/, "") };
}
