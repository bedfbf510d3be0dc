import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { terminalSafeLine } from "@caliban/common";
import { parseSlash, type ScreenUser } from "@caliban/tui";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import { namedRows } from "../../chat/custom/find-command.ts";
import { loadNamedTexts } from "../../chat/custom/load-named-texts.ts";
import { expandMessage } from "../../chat/headless/expand-message.ts";
import { runSlash } from "../../chat/slash/run-slash.ts";
import { isBuiltIn, SLASH_COMMANDS } from "../../chat/slash/slash-table.ts";

/** The commands of the prompt that make sense in an editor. The others are about the screen, or the editor has its own. */
const OFFERED: ReadonlySet<string> = new Set([
  "memory",
  "remember",
  "forget",
  "context",
  "cost",
  "model",
  "permissions",
  "skills",
  "mcp",
  "hooks",
  "init",
  "compact",
  "diff",
  "export",
  "settings",
]);

const ROWS = SLASH_COMMANDS.filter(({ name }) => OFFERED.has(name));

interface SlashContext {
  readonly invocation: Invocation;
  readonly conversation: Conversation;
}

/** The commands that the user can type: those of caliban, custom commands and skills. */
export async function listCommands(context: SlashContext): Promise<AvailableCommand[]> {
  const texts = await loadNamedTexts({ ...context, isBuiltIn });
  const named = namedRows(texts, isBuiltIn).map(
    ({ name, argumentHint, description, mark }): AvailableCommand => ({
      name,
      description: terminalSafeLine(`${description} (${mark})`),
      input: argumentHint === undefined ? null : { hint: terminalSafeLine(argumentHint) },
    }),
  );
  const own = ROWS.map(({ name, doc, operands }): AvailableCommand => ({
    name,
    description: doc,
    input: operands === undefined ? null : { hint: operands },
  }));
  return [...own, ...named];
}

/** What a prompt that starts with a slash does. */
export type SlashOutcome =
  | { readonly kind: "send"; readonly text: string; readonly notices: readonly string[] }
  | { readonly kind: "output"; readonly text: string; readonly isError: boolean }
  | { readonly kind: "problem"; readonly message: string };

/** Runs a command, or expands the name of a custom command or a skill. Any other text is a message. */
export async function runPromptCommand(
  text: string,
  context: SlashContext & { readonly user: ScreenUser },
): Promise<SlashOutcome> {
  const parsed = parseSlash(text, ROWS);
  if (parsed?.kind !== "command") {
    const other = parseSlash(text, SLASH_COMMANDS);
    if (other?.kind === "command") {
      const name = other.row.name;
      return { kind: "output", text: notOffered(name, context.invocation), isError: true };
    }
    const expanded = await expandMessage(text, context);
    if ("problem" in expanded) return { kind: "problem", message: expanded.problem };
    return { kind: "send", ...expanded };
  }
  const result = await runSlash(parsed, context);
  if (result.kind === "send") {
    return { kind: "send", text: result.text, notices: result.notices ?? [] };
  }
  const output = "text" in result ? result.text : "";
  return { kind: "output", text: output.trimEnd(), isError: result.kind === "error" };
}

function notOffered(name: string, { host }: Pick<Invocation, "host">): string {
  const instead =
    name === "page"
      ? `Run in a terminal: ${host.command("page")}`
      : "It is about the screen of a terminal, or the editor has its own";
  return `/${name} is not available in an editor, so nothing was sent. ${instead}`;
}

/** How the messages of a conversation in an editor name commands: as prompts where it has them, otherwise for a shell. */
export function spellForEditor(
  atPrompt: Invocation["host"]["command"],
  shell: Invocation["host"]["command"],
): Invocation["host"]["command"] {
  return (words) => {
    const spelled = atPrompt(words);
    const name = /^\/(\S+)/.exec(spelled)?.[1];
    return name === undefined || OFFERED.has(name) ? spelled : shell(words);
  };
}
