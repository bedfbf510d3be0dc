import { join } from "node:path";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopics } from "./open-topics.ts";
import { topicNotFound } from "./topic-output.ts";

/** `caliban memory path [SLUG]`: for scripts, so the path is unchanged unless it is printed to a terminal. */
export async function showPath(invocation: Invocation): Promise<CommandResult> {
  const [name] = invocation.operands;
  const { store, directory, historyDirectory, warnings } = await openTopics(invocation);
  if (name === undefined)
    return printPaths(invocation, { path: directory, historyDirectory }, warnings);
  const found = await store.read(name);
  if (found === undefined) return await topicNotFound(invocation, name, store);
  return printPaths(invocation, { path: join(directory, `${found.slug}.md`) }, warnings);
}

function printPaths(
  { host, json }: Invocation,
  paths: { readonly path: string; readonly historyDirectory?: string },
  stderr: readonly string[],
): CommandResult {
  const line = host.isTerminal ? terminalSafeLine(paths.path) : paths.path;
  return {
    stdout: json ? `${terminalSafeJson(paths)}\n` : `${line}\n`,
    stderr,
    exitCode: EXIT.done,
  };
}
