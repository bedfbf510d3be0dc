import { requireArguments } from "@caliban/common";
import type { SettingsDiagnostic } from "../diagnostic.ts";
import { redactedTable } from "../keys/secret-texts.ts";
import type { ServerSettings } from "../keys/server-keys.ts";
import { changeUserSettings, type EditUserSettingsInput } from "./edit-user-settings.ts";

/** The user's file, and the server to add or remove. */
export interface EditUserServerInput extends Omit<EditUserSettingsInput, "edit"> {
  readonly name: string;
}

/** A server that was added or removed, for display: what looks like a secret is not shown. */
export interface EditedUserServer {
  readonly server: object;
  /** Its table, as it is or was in the file. */
  readonly text: string;
  /** What the settings warn about, such as a token in an argument. */
  readonly warnings: readonly SettingsDiagnostic[];
}

/**
 * Adds an MCP server to the user's file and changes nothing else in it.
 * @throws SettingsError when the name is taken, or when the name, a value or the file is invalid; the file is then untouched
 */
export async function addUserServer(
  input: EditUserServerInput & { readonly server: ServerSettings },
): Promise<EditedUserServer> {
  requireArguments("addUserServer", input, ["path", "platform", "name", "server"]);
  const { name, server } = input;
  // The TOML editor is large and rarely needed.
  const { addServer, renderServer } = await import("../file/patch-servers.ts");
  const { warnings } = await changeUserSettings(input, async (file, context) =>
    addServer({ file, context, name, server }),
  );
  const shown = redactedTable(server);
  return { server: shown, text: renderServer(name, shown), warnings };
}

/**
 * Removes an MCP server from the user's file and changes nothing else in it; `undefined` when the file has no server of
 * this name.
 * @throws SettingsError when another part of the file is invalid; the file is then untouched
 */
export async function removeUserServer(
  input: EditUserServerInput,
): Promise<EditedUserServer | undefined> {
  requireArguments("removeUserServer", input, ["path", "platform", "name"]);
  const { name } = input;
  const { removeServer, renderServer } = await import("../file/patch-servers.ts");
  const { server } = await changeUserSettings(input, async (file, context) => {
    const removed = removeServer({ file, context, name });
    return removed ?? { text: file.text, server: undefined };
  });
  if (server === undefined) return undefined;
  const shown = redactedTable(server);
  return { server: shown, text: renderServer(name, shown), warnings: [] };
}
