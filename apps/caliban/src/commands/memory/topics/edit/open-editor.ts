import { terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import { UsageError } from "../../../../usage-error.ts";

/** @throws UsageError when no editor is set, or there is no terminal for it */
export function findEditor({ host: { env, isInteractive } }: Invocation): string {
  // An editor without a terminal would wait forever.
  if (!isInteractive()) {
    throw new UsageError(
      "edit requires a terminal; in scripts, use: caliban memory write <slug> --replace",
    );
  }
  const editor = [env["VISUAL"], env["EDITOR"]].find(
    (command) => command !== undefined && command.trim() !== "",
  );
  if (editor !== undefined) return editor;
  throw new UsageError("neither VISUAL nor EDITOR is set; set one to your editor, e.g. EDITOR=vi");
}

/** Opens a file in the editor and waits for it. Returns the result of the command if the editor fails. */
export async function openEditor(
  { host }: Invocation,
  editor: string,
  path: string,
): Promise<CommandResult | undefined> {
  const code = await host.openEditor(editor, path);
  if (code === 0) return undefined;
  const message = `${terminalSafeLine(editor)} failed with exit code ${code}, so nothing was saved; your changes are kept for the next edit`;
  return { stdout: "", stderr: `caliban: ${message}\n`, exitCode: EXIT.failed };
}
