import { terminalSafeLine } from "@caliban/common";
import type { Host } from "../host.ts";

type EditorHost = Pick<Host, "env" | "platform" | "openEditor">;

/** The exit code of a shell that does not find the command. */
const NOT_FOUND = 127;

/** Opens a file in the user's editor and waits for it. Returns a message if that fails, without a period. */
export async function openInEditor(host: EditorHost, path: string): Promise<string | undefined> {
  const chosen = [host.env["VISUAL"], host.env["EDITOR"]].find(
    (command) => command !== undefined && command.trim() !== "",
  );
  const editors = chosen === undefined ? defaultEditors(host.platform) : [chosen];
  for (const editor of editors) {
    const code = await host.openEditor(editor, path);
    if (code === 0) return undefined;
    if (code !== NOT_FOUND) {
      const hint = chosen === undefined ? " (set EDITOR to use another editor)" : "";
      return `${terminalSafeLine(editor)} failed with exit code ${code}${hint}`;
    }
  }
  const tried = terminalSafeLine(editors.join(", "));
  return `no editor found (tried: ${tried}). Set EDITOR to the command of yours`;
}

/** The first one is what git uses. */
function defaultEditors(platform: string): readonly string[] {
  return platform === "win32" ? ["notepad"] : ["vi", "nano"];
}
