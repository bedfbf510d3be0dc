import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
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

async function readSystemFile({ host }: Invocation, path: string): Promise<string> {
  const full = resolve(host.cwd ?? "/", expandTilde(pathStyleOf(host.platform), path, host.home));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(full));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const reason = "code" in cause ? String(cause.code) : cause.message;
    throw new UsageError(`--system-file: ${path} cannot be read (${reason})`, { cause });
  }
}
