import { isLoopback, terminalSafe, terminalSafeJson } from "@caliban/common";
import type { ServerSettings } from "@caliban/settings";
import { addUserServer } from "@caliban/settings/node";
import { type CommandResult, type Invocation, listOption, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { requireSettingsFile } from "../settings/settings-file.ts";
import { displayPath } from "../user-paths.ts";
import { settingsWarnings } from "../warnings.ts";

/** `caliban mcp add NAME -- COMMAND…` or `caliban mcp add NAME URL`: writes a server to the user's settings. */
export async function addServer(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [name = ""] = invocation.operands;
  const server = parseServer(invocation);
  const file = requireSettingsFile(host);
  const added = await addUserServer({ ...file, name, server });
  const text = `added to ${displayPath(host, file.path)}:\n\n${terminalSafe(added.text)}\n${STARTS}\n`;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "added", name, server: added.server, path: file.path })}\n`
      : text,
    stderr: settingsWarnings(host, added.warnings),
    exitCode: EXIT.done,
  };
}

const STARTS = "It starts with the next conversation; in an open one, type /mcp reload.";

/** @throws UsageError for options that do not fit a program or a URL */
function parseServer(invocation: Invocation): ServerSettings {
  const [, endpoint = "", ...args] = invocation.operands;
  const [env, passEnv] = [listOption(invocation, "env"), listOption(invocation, "passEnv")];
  const token = textOption(invocation, "tokenEnv");
  if (!/^https?:\/\//i.test(endpoint)) {
    if (token !== undefined)
      throw new UsageError("--token-env is for a URL; for a program, use --pass-env");
    return {
      command: endpoint,
      ...(args.length === 0 ? {} : { args }),
      ...(env.length === 0 ? {} : { env: parseVariables(env) }),
      ...(passEnv.length === 0 ? {} : { pass_env: passEnv }),
    };
  }
  if (args.length > 0)
    throw new UsageError(
      "a URL takes no arguments; put its token into a variable and pass --token-env",
    );
  if (env.length + passEnv.length > 0)
    throw new UsageError("--env and --pass-env are for a program; for a URL, use --token-env");
  refusePlainHttp(endpoint);
  return { url: endpoint, ...(token === undefined ? {} : { token_env: token }) };
}

/** Such a server would be listed and never used. @throws UsageError */
function refusePlainHttp(endpoint: string): void {
  const url = URL.parse(endpoint);
  if (url === null || url.protocol === "https:" || isLoopback(url)) return;
  throw new UsageError("plain http to another machine can be read by others; use https");
}

/** @throws UsageError, which never repeats a value */
function parseVariables(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [, name = "", value = ""] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    if (name === "") throw new UsageError("--env takes NAME=text, as in --env PORT=8080");
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}
