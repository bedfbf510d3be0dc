import { readTextFile } from "@caliban/common/node";
import type { CommandDirectory, CommandProblem, CustomCommand } from "./custom-command.ts";
import { type CommandFile, listCommandFiles } from "./list-command-files.ts";
import { MAX_BODY_BYTES, readCommand } from "./read-command.ts";

/** Every command that can be used, and why others cannot. */
export interface LoadedCommands {
  readonly commands: readonly CustomCommand[];
  readonly problems: readonly CommandProblem[];
}

// A body, and the longest header that is read.
const MAX_FILE_BYTES = 2 * MAX_BODY_BYTES;

/** Loads the commands of all directories, the first of each name. No file affects another. */
export async function loadCommands(
  directories: readonly CommandDirectory[],
  isTaken: (name: string) => boolean,
): Promise<LoadedCommands> {
  const listed = directories.map(listCommandFiles);
  const loaded = await Promise.all(listed.flatMap(({ files }) => files).map(loadFile));
  const found = loaded.flatMap((each) => ("command" in each ? each.command : []));
  const resolved = resolveNames(found, isTaken);
  return {
    commands: resolved.commands,
    problems: [
      ...listed.flatMap(({ problems }) => problems),
      ...loaded.flatMap((each) => ("problem" in each ? each.problem : [])),
      ...resolved.problems,
    ],
  };
}

async function loadFile(
  file: CommandFile,
): Promise<{ readonly command: CustomCommand } | { readonly problem: CommandProblem }> {
  const { realPath, ...source } = file;
  const failed = (problem: Omit<CommandProblem, "path">): { readonly problem: CommandProblem } => ({
    problem: { ...problem, path: source.source, name: source.name },
  });
  const read = readTextFile(realPath, MAX_FILE_BYTES, { isRealPath: true });
  if (read.kind !== "text")
    return failed({ code: "UNREADABLE", message: `Cannot be read: ${read.message}.` });
  if (read.readBytes < read.fileBytes) {
    const message = `Too large: ${read.fileBytes} bytes; the limit is ${MAX_FILE_BYTES}.`;
    return failed({ code: "TOO_LARGE", message });
  }
  if (read.invalidAt !== undefined) {
    const { line } = read.invalidAt;
    return failed({ code: "INVALID_UTF8", message: "Not valid UTF-8. Save it as UTF-8.", line });
  }
  const result = await readCommand(read.text, source, loadYaml);
  if (result.kind === "command") return { command: result.command };
  const { code, message, line } = result;
  return failed({ code, message, line });
}

/** Loaded for a header that needs it only. */
async function loadYaml(): Promise<Awaited<ReturnType<Parameters<typeof readCommand>[2]>>> {
  return (await import("@caliban/common/node/front-matter")).parseFrontMatter;
}

/** Each name once for the user and once for the workspace; the plain name goes to the first. */
function resolveNames(
  found: readonly CustomCommand[],
  isTaken: (name: string) => boolean,
): LoadedCommands {
  const commands = new Map<string, CustomCommand>();
  const first = new Map<string, CustomCommand>();
  const problems: CommandProblem[] = [];
  for (const command of found) {
    const { name, origin, source } = command;
    const key = `${origin}:${name.toLowerCase()}`;
    const same = commands.get(key);
    const shadow = (message: string): void =>
      void problems.push({ code: "SHADOWED", path: source, name, message });
    if (same !== undefined) {
      shadow(`Not used: ${same.source} is also named ${name} and comes first.`);
      continue;
    }
    const before = first.get(name.toLowerCase());
    const isShadowed = before !== undefined || isTaken(name);
    commands.set(key, isShadowed ? { ...command, isShadowed } : command);
    if (!isShadowed) first.set(name.toLowerCase(), command);
    else {
      const prefixed = `/${PREFIXES[origin]}:${name}`;
      const reason = isTaken(name) ? "is built in" : `is ${before?.source ?? ""}`;
      shadow(`/${name} ${reason}. To run this one, type ${prefixed}`);
    }
  }
  return { commands: [...commands.values()], problems };
}

/** What users of other agents type to say whose command they mean. */
export const PREFIXES = { user: "user", workspace: "project" } as const;
