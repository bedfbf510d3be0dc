import { readTextFile, type TextFile } from "@caliban/common/node";
import type { PromptOverrides } from "../conversation/prompt/compose-agent.ts";
import { type Invocation, textOption } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { conversationFlags } from "../cli/conversation-flags.ts";
import { resolveUserPath } from "./user-paths.ts";

/**
 * Reads `--mode`, `--system`, `--system-file` and `--append-system-prompt`.
 * @throws UsageError for a file that cannot be read or is not text
 */
export async function readPromptOverrides(invocation: Invocation): Promise<PromptOverrides> {
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

/** Larger than any prompt, and small enough for a file named by mistake, such as a device. */
const MAX_BYTES = 1024 * 1024;

async function readSystemFile({ host }: Invocation, path: string): Promise<string> {
  const file = readTextFile(resolveUserPath(host, path), MAX_BYTES);
  const problem = problemOf(file);
  if (file.kind === "text" && problem === undefined) return file.text;
  throw new UsageError(`--system-file '${path}': ${problem}`);
}

function problemOf(file: TextFile): string | undefined {
  if (file.kind === "missing") return "no such file";
  if (file.kind !== "text") return file.message;
  if (file.fileBytes > MAX_BYTES) return `larger than ${MAX_BYTES} bytes`;
  if (file.invalidAt !== undefined) return `not valid UTF-8 at line ${file.invalidAt.line}`;
  return undefined;
}
