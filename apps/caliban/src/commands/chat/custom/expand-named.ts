import { renderCommandText, terminalSafeLine } from "@caliban/common";
import { sanitizeOutput } from "@caliban/memory";
import type { Skill } from "@caliban/skills";
import { type CustomCommand, renderProblem } from "./custom-command.ts";
import { type CommandArguments, expandArguments, inlineCommands } from "./expand-arguments.ts";
import { findNamed, type NamedTexts } from "./find-command.ts";

/** The name of a command and its arguments, as the user typed them. */
export interface TypedCommand extends CommandArguments {
  readonly name: string;
  /** What is sent after the line and not an argument, such as piped input. */
  readonly attached?: string | undefined;
}

/** The message that a name expands to, or why there is none. */
export type ExpandedMessage =
  | {
      readonly kind: "message";
      readonly text: string;
      /** What the file asks for and does not get: lines that are safe on a terminal. */
      readonly notices: readonly string[];
    }
  | { readonly kind: "problem"; readonly message: string }
  | { readonly kind: "unknown"; readonly suggestion: string | undefined };

/** Makes a message of a typed name. The text of its file is marked as such, and is nowhere taken for the user's words. */
export function expandNamed(typed: TypedCommand, texts: NamedTexts): ExpandedMessage {
  const found = findNamed(typed.name, texts);
  if (found.kind === "unknown") return found;
  if (found.kind === "unusable") {
    return problem(`/${typed.name} cannot be used. ${renderProblem(found.problem)}`);
  }
  if (found.kind === "ambiguous") {
    const names = found.names.map((name) => `/${name}`).join(", ");
    return problem(`several commands are named ${typed.name}: ${names}`);
  }
  return found.kind === "skill"
    ? skillMessage(typed, found.skill)
    : commandMessage(typed, found.command);
}

function commandMessage(typed: TypedCommand, command: CustomCommand): ExpandedMessage {
  const { name, source, body } = command;
  const expanded = expandArguments(body.trimEnd(), typed);
  if (expanded === undefined)
    return problem(`${source}: too long with these arguments; shorten them`);
  const text = renderCommandText({
    typed: typedLine(typed),
    kind: "command",
    name,
    source,
    body: sanitizeOutput(expanded),
  });
  return { kind: "message", text, notices: noticesOf(command) };
}

/** The same text as the Skill tool returns. */
function skillMessage(typed: TypedCommand, { name, path, body }: Skill): ExpandedMessage {
  const text = renderCommandText({
    typed: typedLine(typed),
    kind: "skill",
    name,
    source: path,
    body: sanitizeOutput(body.trimEnd()),
  });
  return { kind: "message", text, notices: [] };
}

function typedLine({ name, rest, attached }: TypedCommand): string {
  const line = rest === "" ? `/${name}` : `/${name} ${rest}`;
  return attached === undefined ? line : `${line}\n\n${attached}`;
}

function noticesOf({ ignoredKeys, body, source }: CustomCommand): readonly string[] {
  const ignored = ignoredKeys.join(" and ");
  const keys =
    ignored === "" ? [] : [`ignored in ${source}: ${ignored}; only you decide about that`];
  const commands = inlineCommands(body);
  if (commands.length === 0) return keys;
  const [first = ""] = commands;
  const more = commands.length === 1 ? "" : ` and ${commands.length - 1} more`;
  const shown = terminalSafeLine(first.length > 60 ? `${first.slice(0, 59)}…` : first);
  return [...keys, `not run in ${source}: !\`${shown}\`${more}; the agent reads it as text`];
}

function problem(message: string): ExpandedMessage {
  return { kind: "problem", message: terminalSafeLine(message) };
}
