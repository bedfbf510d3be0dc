import { relative } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { Skill } from "@caliban/skills";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import { commandDirectories } from "./command-directories.ts";
import type { NamedTexts } from "./find-command.ts";
import { loadCommands } from "./load-commands.ts";

type CommandHost = Pick<Invocation["host"], "env" | "platform" | "home" | "native">;

export interface NamedTextsInput {
  readonly invocation: Pick<Invocation, "bare"> & { readonly host: CommandHost };
  readonly conversation: Pick<Conversation, "receipt" | "skills">;
  /** Whether a built-in command has this name. Nothing else ever takes it. */
  readonly isBuiltIn: (name: string) => boolean;
}

/** Loads the custom commands of a conversation as they are on disk now, and its skills. */
export async function loadNamedTexts({
  invocation: { host, bare },
  conversation,
  isBuiltIn,
}: NamedTextsInput): Promise<NamedTexts> {
  const { workspaceRoot } = conversation.receipt();
  const directories = bare ? [] : commandDirectories({ ...host, workspaceRoot });
  const shown = ({ path, origin }: Skill): string => {
    if (origin === "bundled") return "caliban";
    const inside = relative(workspaceRoot, path);
    const short = inside.startsWith("..")
      ? abbreviateHome(pathStyleOf(host.platform), path, host.home)
      : inside;
    return terminalSafeLine(short);
  };
  const skills = conversation
    .skills()
    .map((skill) => Object.assign({}, skill, { path: shown(skill) }));
  return { ...(await loadCommands(directories, isBuiltIn)), skills };
}
