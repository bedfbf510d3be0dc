import { terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import { UsageError } from "../../../../usage-error.ts";

/** @throws UsageError when the person named no editor, or nobody is there to use it */
export function editorOf({ host: { env, isInteractive } }: Invocation): string {
  // An editor without a terminal waits for ever.
  if (!isInteractive()) {
    throw new UsageError(
      "edit needs a terminal; scripts use `caliban memory write SLUG --replace`",
    );
  }
  const editor = [env["VISUAL"], env["EDITOR"]].find(
    (command) => command !== undefined && command.trim() !== "",
  );
  if (editor !== undefined) return editor;
  throw new UsageError(
    "neither VISUAL nor EDITOR is set; set one to your editor, such as EDITOR=vi",
  );
}

/** Opens a file in the editor and waits; the answer of the command when that fails. */
export async function openEditor(
  { host }: Invocation,
  editor: string,
  path: string,
): Promise<CommandResult | undefined> {
  const code = await host.openEditor(editor, path);
  if (code === 0) return undefined;
  const sentence = `${terminalSafeLine(editor)} ended with exit code ${code}, so nothing was taken over; what you changed is kept, and the next edit goes on with it`;
  return { stdout: "", stderr: `caliban: ${sentence}\n`, exitCode: EXIT.failed };
}
