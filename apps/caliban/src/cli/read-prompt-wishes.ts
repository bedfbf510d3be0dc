import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
import { readTextFile, type TextFile } from "@caliban/common/node";
import type { PromptWishes } from "../agent/prompt-wishes.ts";
import { type Invocation, textOption } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { conversationFlags } from "./conversation-flags.ts";

/**
 * What `--mode`, `--system`, `--system-file` and `--append-system-prompt` ask for.
 * @throws UsageError for a file that cannot be read, or is no text
 */
export async function readPromptWishes(invocation: Invocation): Promise<PromptWishes> {
  const { mode } = conversationFlags(invocation);
  const path = textOption(invocation, "systemFile");
  return {
    mode,
    body:
      path === undefined
        ? textOption(invocation, "system")
        : await readSystemFile(invocation, path),
    appended: textOption(invocation, "appendSystemPrompt"),
  };
}

/** More than any prompt, and less than what a slip such as a device would give. */
const MOST_BYTES = 1024 * 1024;

async function readSystemFile({ host }: Invocation, path: string): Promise<string> {
  const full = resolve(host.cwd ?? "/", expandTilde(pathStyleOf(host.platform), path, host.home));
  const file = await readTextFile(full, MOST_BYTES);
  const problem = problemOf(file);
  if (file.kind === "text" && problem === undefined) return file.text;
  throw new UsageError(`--system-file: ${path} cannot be used: ${problem}`);
}

function problemOf(file: TextFile): string | undefined {
  if (file.kind === "missing") return "it does not exist";
  if (file.kind !== "text") return file.message;
  if (file.fileBytes > MOST_BYTES) return `it has more than ${MOST_BYTES} bytes`;
  if (file.invalidAt !== undefined) return `it is not UTF-8 in line ${file.invalidAt.line}`;
  return undefined;
}
