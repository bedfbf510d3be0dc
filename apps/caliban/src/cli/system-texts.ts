import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
import { type Invocation, textOption } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** What the command line says about the system prompt. */
export interface SystemTexts {
  /** Stands in the place of the default body. */
  readonly system: string | undefined;
  /** Stands at the end. */
  readonly append: string | undefined;
}

/**
 * The texts of `--system`, `--system-file` and `--append-system-prompt`.
 * @throws UsageError for a file that cannot be read, or is no text
 */
export async function readSystemTexts(invocation: Invocation): Promise<SystemTexts> {
  const path = textOption(invocation, "systemFile");
  const system = textOption(invocation, "system");
  if (path !== undefined && system !== undefined)
    throw new UsageError(
      "--system and --system-file do not go together: each is the whole system prompt",
    );
  return {
    system: path === undefined ? system : await readSystemFile(invocation, path),
    append: textOption(invocation, "appendSystemPrompt"),
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
