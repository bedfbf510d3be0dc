import type { JsonObject } from "../answer/find-json-object.ts";
import { type AnswerProblem, problem, readAnswer, readText } from "../answer/read-answer.ts";
import type { ConsolidatedMemory, MemorySkill, PlacedFile } from "./consolidation-task.ts";

export type ParsedConsolidation =
  | { readonly kind: "memory"; readonly memory: ConsolidatedMemory }
  | AnswerProblem;

const KEYS = ["memory_md", "memory_summary", "skills"];

/**
 * Reads what a model answered when it was asked for the whole memory. An empty text is a problem, so that it replaces
 * nothing. Names and paths are as the model wrote them.
 */
export function parseConsolidation(text: string): ParsedConsolidation {
  const answer = readAnswer(text, KEYS);
  if (answer.kind === "problem") return answer;
  const memoryMd = readFullText(answer.object, "memory_md");
  if (typeof memoryMd !== "string") return memoryMd;
  const memorySummary = readFullText(answer.object, "memory_summary");
  if (typeof memorySummary !== "string") return memorySummary;
  const skills = readList(answer.object, { key: "skills", isNeeded: true, read: readSkill });
  if ("kind" in skills) return skills;
  return { kind: "memory", memory: { memoryMd, memorySummary, skills } };
}

function readFullText(object: JsonObject, key: string): string | AnswerProblem {
  const text = readText(object, key);
  return typeof text === "string" && text.trim() === "" ? problem(`${key} is empty`) : text;
}

interface ListField<Item> {
  readonly key: string;
  /** Without it, everything that is not in the list would be taken for deleted. */
  readonly isNeeded: boolean;
  readonly read: (item: JsonObject) => Item | AnswerProblem;
}

function readList<Item extends object>(
  object: JsonObject,
  { key, isNeeded, read }: ListField<Item>,
): readonly Item[] | AnswerProblem {
  const list = Object.hasOwn(object, key) ? object[key] : undefined;
  if (list === undefined || list === null) return isNeeded ? problem(`${key} is missing`) : [];
  if (!Array.isArray(list)) return problem(`${key} is no list`);
  const items: Item[] = [];
  for (const value of list as readonly unknown[]) {
    if (!isJsonObject(value)) return problem(`${key} has something in it that is no object`);
    const item = read(value);
    if (isProblem(item)) return problem(`in ${key}, ${item.sentence}`);
    items.push(item);
  }
  return items;
}

function readSkill(object: JsonObject): MemorySkill | AnswerProblem {
  const name = readFullText(object, "name");
  if (typeof name !== "string") return name;
  const content = readFullText(object, "content");
  if (typeof content !== "string") return content;
  const scripts = readFiles(object, "scripts");
  if ("kind" in scripts) return scripts;
  const templates = readFiles(object, "templates");
  if ("kind" in templates) return templates;
  const examples = readFiles(object, "examples");
  if ("kind" in examples) return examples;
  return { name, content, scripts, templates, examples };
}

function readFiles(object: JsonObject, key: string): readonly PlacedFile[] | AnswerProblem {
  return readList(object, { key, isNeeded: false, read: readPlacedFile });
}

function readPlacedFile(object: JsonObject): PlacedFile | AnswerProblem {
  const path = readText(object, "path");
  if (typeof path !== "string") return path;
  const content = readText(object, "content");
  return typeof content === "string" ? { path, content } : content;
}

function isProblem(item: object): item is AnswerProblem {
  return "kind" in item;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
