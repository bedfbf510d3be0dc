import { nearest } from "@caliban/common";
import type { Skill } from "@caliban/skills";
import type { CommandProblem, CustomCommand } from "./custom-command.ts";
import { type LoadedCommands, PREFIXES } from "./load-commands.ts";

/** Everything that has a name besides the built-in commands. */
export interface NamedTexts extends LoadedCommands {
  readonly skills: readonly Skill[];
}

/** What a name means. */
export type FoundText =
  | { readonly kind: "command"; readonly command: CustomCommand }
  | { readonly kind: "skill"; readonly skill: Skill }
  /** A file has the name, but cannot be used. */
  | { readonly kind: "unusable"; readonly problem: CommandProblem }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "unknown"; readonly suggestion: string | undefined };

/**
 * Finds what the user means by a name that is not built in. Custom commands come before skills, and whole names before the
 * last part of one. `/user:x`, `/project:x` and `/skill:x` say which one of several is meant.
 */
export function findNamed(typed: string, texts: NamedTexts): FoundText {
  const name = typed.toLowerCase();
  const exact = findPrefixed(name, texts) ?? findWhole(name, texts);
  if (exact !== undefined) return exact;
  const problem = texts.problems.find(
    (each) => each.code !== "SHADOWED" && each.name?.toLowerCase() === name,
  );
  if (problem !== undefined) return { kind: "unusable", problem };
  const [only, ...others] = reachable(texts).filter((each) => lastPart(each.name) === name);
  if (only === undefined) return { kind: "unknown", suggestion: suggestionFor(name, texts) };
  if (others.length === 0) return { kind: "command", command: only };
  return { kind: "ambiguous", names: [only, ...others].map((each) => each.name) };
}

function findPrefixed(name: string, { commands, skills }: NamedTexts): FoundText | undefined {
  const [, prefix, wanted] = /^(user|project|skill):(.+)$/.exec(name) ?? [];
  if (prefix === undefined || wanted === undefined) return undefined;
  if (prefix === "skill") return asSkill(skills.find((skill) => isNamed(skill, wanted)));
  return asCommand(
    commands.find((command) => PREFIXES[command.origin] === prefix && isNamed(command, wanted)),
  );
}

function findWhole(name: string, texts: NamedTexts): FoundText | undefined {
  const command = asCommand(reachable(texts).find((each) => isNamed(each, name)));
  return command ?? asSkill(texts.skills.find((skill) => isNamed(skill, name)));
}

function asCommand(command: CustomCommand | undefined): FoundText | undefined {
  return command === undefined ? undefined : { kind: "command", command };
}

function asSkill(skill: Skill | undefined): FoundText | undefined {
  return skill === undefined ? undefined : { kind: "skill", skill };
}

function isNamed({ name }: { readonly name: string }, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1).toLowerCase();
}

/** Those that their plain names run. */
function reachable({ commands }: LoadedCommands): readonly CustomCommand[] {
  return commands.filter(({ isShadowed }) => isShadowed !== true);
}

/** One line of a list: what to type for it, and what it is. */
export interface NamedRow {
  readonly name: string;
  readonly argumentHint?: string | undefined;
  readonly description: string;
  /** `workspace`, `user`, or that it is a skill. */
  readonly mark: string;
}

/** Everything that can be typed, each by its shortest name that is clear. */
export function namedRows(
  texts: NamedTexts,
  isTaken: (name: string) => boolean,
): readonly NamedRow[] {
  const commands = texts.commands.map(
    ({ name, origin, isShadowed, description, argumentHint }): NamedRow => ({
      name: isShadowed === true ? `${PREFIXES[origin]}:${name}` : name,
      argumentHint,
      description,
      mark: origin,
    }),
  );
  const names = new Set(commands.map(({ name }) => name.toLowerCase()));
  const skills = texts.skills.map(({ name, description, origin }): NamedRow => {
    const isHidden = isTaken(name.toLowerCase()) || names.has(name.toLowerCase());
    const mark = `${origin} skill`;
    return { name: isHidden ? `skill:${name}` : name, argumentHint: "[text]", description, mark };
  });
  return [...commands, ...skills];
}

function suggestionFor(name: string, texts: NamedTexts): string | undefined {
  const names = namedRows(texts, () => false).map((row) => row.name);
  const beginning = names.find((each) => each.toLowerCase().startsWith(name));
  const part = names.filter((each) => name.length > 2 && each.toLowerCase().includes(name));
  return beginning ?? nearest(name, names) ?? (part.length === 1 ? part[0] : undefined);
}
