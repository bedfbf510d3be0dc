import { terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../../../../command.ts";
import { UsageError } from "../../../../usage-error.ts";

/**
 * @param inScripts what to do without a terminal
 * @throws UsageError when no editor is set, or there is no terminal for it
 */
export function findEditor(
  { host: { env, isInteractive } }: Invocation,
  inScripts: string,
): string {
  // An editor without a terminal would wait forever.
  if (!isInteractive()) throw new UsageError(`edit requires a terminal; in scripts, ${inScripts}`);
  const editor = [env["VISUAL"], env["EDITOR"]].find(
    (command) => command !== undefined && command.trim() !== "",
  );
  if (editor !== undefined) return editor;
  throw new UsageError("neither VISUAL nor EDITOR is set; set one to your editor, e.g. EDITOR=vi");
}

/** Opens a file in the editor and waits for it. Returns a message if the editor fails, without a period. */
export async function openEditor(
  { host }: Invocation,
  editor: string,
  path: string,
): Promise<string | undefined> {
  const code = await host.openEditor(editor, path);
  return code === 0 ? undefined : `${terminalSafeLine(editor)} failed with exit code ${code}`;
}
