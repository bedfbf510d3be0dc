import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isRecord } from "@caliban/common";
import type { HookedEvent } from "./agent-targets.ts";
import { insert, removeNode } from "./edit-json-text.ts";

/** A text with the change, or what is wrong with it and where. */
export type EditedText =
  | { readonly text: string }
  | { readonly problem: string; readonly line?: number | undefined };

export interface AddedEntries {
  readonly events: readonly HookedEvent[];
  /** The entry for each event. */
  readonly entry: Readonly<Record<string, string | number>>;
}

/** Adds an entry for each event, in place of those that caliban has added before. Everything else stays as it is. */
export function addEntries(before: string, { events, entry }: AddedEntries): EditedText {
  const removed = removeEntries(before);
  if ("problem" in removed) return removed;
  const start = removed.text.trim() === "" ? `{}\n` : removed.text;
  const text = events.reduce((edited, { name, matcher }) => {
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] };
    return addGroup(edited, name, group);
  }, start);
  return { text };
}

/** Adds what is missing around it as well. */
function addGroup(text: string, event: string, group: object): string {
  const list = nodeAt(text, ["hooks", event]);
  if (list !== undefined) return insert(text, list, { value: group });
  const hooks = nodeAt(text, ["hooks"]);
  if (hooks !== undefined) return insert(text, hooks, { key: event, value: [group] });
  const root = nodeAt(text, []);
  if (root === undefined) throw new Error("no object to add to");
  return insert(text, root, { key: "hooks", value: { [event]: [group] } });
}

/** Removes what caliban has added, and the lists that are empty without it. */
export function removeEntries(before: string): EditedText {
  if (before.trim() === "") return { text: before };
  const problem = findProblem(before);
  if (problem !== undefined) return problem;
  let text = before;
  for (const path of ownPaths(text)) text = removeAt(text, path);
  return { text };
}

/** The names of the events that have an entry of caliban. */
export function hookedEvents(text: string): readonly string[] {
  if (text.trim() === "" || findProblem(text) !== undefined) return [];
  const hooks: unknown = valueAt(text, ["hooks"]);
  if (!isRecord(hooks)) return [];
  return Object.keys(hooks).filter((event) => ownGroups(event, hooks[event]).length > 0);
}

type Path = (string | number)[];

const COMMAND = /\bhook run (?:claude|codex|gemini|qwen)\b/;

function isOwn(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { command } = entry;
  return typeof command === "string" && COMMAND.test(command) && /caliban|bin\.js/.test(command);
}

/** The paths to remove, the last ones first, so that the others stay valid. A list that is ours alone is one of them. */
function ownPaths(text: string): readonly Path[] {
  const hooks: unknown = valueAt(text, ["hooks"]);
  if (!isRecord(hooks)) return [];
  const paths = Object.entries(hooks).flatMap(([event, groups]): readonly Path[] => {
    const own = ownGroups(event, groups);
    const isAll = Array.isArray(groups) && own.filter(isWhole).length === groups.length;
    return isAll && own.length > 0 ? [["hooks", event]] : own.toReversed();
  });
  const isAll = paths.filter(({ length }) => length === 2).length === Object.keys(hooks).length;
  return isAll && paths.length > 0 ? [["hooks"]] : paths.toReversed();
}

/** The groups of an event that are ours, and our entries in other groups. */
function ownGroups(event: string, groups: unknown): readonly Path[] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, at): readonly Path[] => {
    const entries: readonly unknown[] =
      isRecord(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
    const own = entries.flatMap((entry, index) => (isOwn(entry) ? [index] : []));
    if (own.length > 0 && own.length === entries.length) return [["hooks", event, at]];
    return own.map((index) => ["hooks", event, at, "hooks", index]);
  });
}

function isWhole({ length }: Path): boolean {
  return length === 3;
}

/** A property with its name, or an element. */
function removeAt(text: string, path: Path): string {
  const node = nodeAt(text, path);
  const removed = node?.parent?.type === "property" ? node.parent : node;
  return removed === undefined ? text : removeNode(text, removed);
}

function findProblem(text: string): Extract<EditedText, { readonly problem: string }> | undefined {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) return { problem: "nested too deeply", line: lineAt(text, tooDeep) };
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const name = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    return { problem: `invalid JSON: ${name.toLowerCase()}`, line: lineAt(text, error.offset) };
  }
  if (root?.type !== "object") return { problem: "not a JSON object", line: 1 };
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return undefined;
  if (hooks.type !== "object")
    return { problem: '"hooks" is not an object', line: lineAt(text, hooks.offset) };
  return findOtherThanLists(text, hooks);
}

function findOtherThanLists(text: string, hooks: Node): ReturnType<typeof findProblem> {
  for (const property of hooks.children ?? []) {
    const [key, value] = property.children ?? [];
    if (value === undefined || value.type === "array") continue;
    const name = JSON.stringify(`hooks.${String(key?.value)}`);
    return { problem: `${name} is not a list`, line: lineAt(text, value.offset) };
  }
  return undefined;
}

const MAX_DEPTH = 200;

/** Where a value is nested so deeply that parsing it might fail; `undefined` if none is. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(withoutMark(text), true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const first = text.charAt(at);
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    if (depth > MAX_DEPTH) return at;
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function nodeAt(text: string, path: Path): Node | undefined {
  const root = parseTree(withoutMark(text), [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, path);
}

function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(text, path);
  return node === undefined ? undefined : getNodeValue(node);
}

/** Editors on Windows may write a byte order mark, which is white space here. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, " ");
}
