import { join } from "node:path";
import { findWayOut } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import type { AgentTarget, HookScope } from "./agent-targets.ts";
import { textBefore } from "./backups.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { hookCommand, hookCommandLine } from "./hook-command.ts";
import { addEntries, hookedEvents, removeEntries } from "./hook-entries.ts";
import { PLUGIN_MARK } from "./plugin-text.ts";

/** A change of a file that was not made yet. */
export interface ConfigChange {
  readonly file: ConfigFile;
  /** `undefined` if the file is to be removed. */
  readonly text: string | undefined;
}

/** A change, or a message with the path and the line of what is wrong. */
export type PlannedChange = ConfigChange | { readonly path: string; readonly problem: string };

export interface PlanInput {
  readonly host: Pick<Host, "env" | "platform" | "program">;
  readonly target: AgentTarget;
  readonly path: string;
  /** The workspace, for a file in it. */
  readonly root?: string | undefined;
  readonly stateDirectory: string | undefined;
}

/** The file that hooks for an agent are in. */
export function hookFile(
  target: AgentTarget,
  { env, home, root }: { readonly env: Host["env"]; readonly home: string; readonly root: string },
  scope: HookScope,
): string {
  const directory =
    scope === "user" ? target.userDirectory(env, home) : join(root, target.projectDirectory);
  return join(directory, target.file[scope]);
}

/** What installing changes. The text is the same if nothing has to change. */
export function planInstall({ host, target, path, root }: PlanInput): PlannedChange {
  const file = readFileOf({ path, root });
  if ("problem" in file) return { path, problem: file.problem };
  const { agent, content } = target;
  if (content.kind === "plugin") {
    if (isForeign(file)) return foreign(path);
    return { file, text: content.render(hookCommand(host, agent)) };
  }
  const entry = {
    type: "command",
    command: hookCommandLine(host, agent),
    ...content.fields,
  };
  const edited = addEntries(file.text ?? "", { events: content.events, entry });
  return "problem" in edited ? problemAt(path, edited) : { file, text: edited.text };
}

/** What uninstalling changes. If nothing was changed since, the file becomes exactly what it was. */
export function planUninstall({ target, path, root, stateDirectory }: PlanInput): PlannedChange {
  const file = readFileOf({ path, root });
  if ("problem" in file) return { path, problem: file.problem };
  const { text } = file;
  if (text === undefined) return { file, text };
  const before = stateDirectory && textBefore(stateDirectory, { path, text });
  if (before === null) return { file, text: undefined };
  if (target.content.kind === "plugin")
    return isForeign(file) ? { file, text } : { file, text: undefined };
  if (before !== undefined) return { file, text: before };
  const edited = removeEntries(text);
  return "problem" in edited ? problemAt(path, edited) : { file, text: edited.text };
}

/** A link in a repository must not lead a change to another file of the user. */
function readFileOf({
  path,
  root,
}: Pick<PlanInput, "path" | "root">): ConfigFile | { readonly problem: string } {
  const target = root === undefined ? undefined : findWayOut(root, path);
  if (target !== undefined)
    return { problem: `${path}: a link that leads out of the workspace, to ${target}` };
  const file = readConfigFile(path);
  return "problem" in file ? { problem: `${path}: ${file.problem}` } : file;
}

/** What is installed: the events, `"plugin"`, or nothing. */
export function installedHooks(
  { content }: AgentTarget,
  { text = "" }: Pick<ConfigFile, "text">,
): readonly string[] {
  if (content.kind === "plugin") return text.startsWith(PLUGIN_MARK) ? ["plugin"] : [];
  return hookedEvents(text);
}

function isForeign({ text }: ConfigFile): boolean {
  return text !== undefined && !text.startsWith(PLUGIN_MARK);
}

function foreign(path: string): PlannedChange {
  return { path, problem: `${path}: not written by caliban. Rename or remove it first` };
}

function problemAt(
  path: string,
  { problem, line }: { readonly problem: string; readonly line?: number | undefined },
): PlannedChange {
  const where = line === undefined ? path : `${path}:${line}`;
  return { path, problem: `${where}: ${problem}. Fix it first; nothing was changed` };
}
