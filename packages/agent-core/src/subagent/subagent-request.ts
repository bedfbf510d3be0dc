import { isRecord, terminalSafeLine } from "@caliban/common";
import type { JsonSchema } from "../tool.ts";

/** What the model wants a subagent to do. */
export interface SubagentRequest {
  /** One short line without brackets and quotes, so that it cannot close a frame. */
  readonly description: string;
  readonly prompt: string;
  /** The only tools that the subagent may use; all of them when left out. */
  readonly tools?: readonly string[] | undefined;
  /** One of the offered models. */
  readonly model?: string | undefined;
}

const MAX_DESCRIPTION_CHARACTERS = 80;

/** The input of the tool. Models are only offered if there are any. */
export function subagentSchema(models: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: {
      description: { type: "string", description: "3 to 6 words." },
      prompt: { type: "string", description: "Everything it needs to know." },
      tools: { type: "array", items: { type: "string" }, description: "Default: all." },
      ...(models.length === 0 ? {} : { model: { type: "string", enum: models } }),
    },
    required: ["description", "prompt"],
    additionalProperties: false,
  };
}

const FIELDS: ReadonlySet<string> = new Set(["description", "prompt", "tools", "model"]);

/** Returns a request, or what is wrong with the input in one sentence for the model. */
export function parseSubagentRequest(
  input: unknown,
  models: readonly string[],
): SubagentRequest | { readonly problem: string } {
  if (!isRecord(input)) return { problem: NEEDS_TEXTS };
  const unknown = Object.keys(input).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) return { problem: `It has no field ${JSON.stringify(unknown)}.` };
  const { description, prompt, tools, model } = input;
  if (!isText(description) || !isText(prompt)) return { problem: NEEDS_TEXTS };
  if (tools !== undefined && !isNameList(tools))
    return { problem: '"tools" must be a list of names of tools, or left out.' };
  if (model !== undefined && (typeof model !== "string" || !models.includes(model)))
    return { problem: modelProblem(models) };
  return { description: shortLine(description), prompt, tools, model };
}

const NEEDS_TEXTS =
  'It needs a "description" of a few words and a "prompt" with everything that the subagent must know.';

function modelProblem(models: readonly string[]): string {
  return models.length === 0
    ? 'No other model is available; leave "model" out.'
    : `"model" must be one of: ${models.join(", ")}; or left out.`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function shortLine(text: string): string {
  const line = terminalSafeLine(text.trim().replaceAll(/[\s<>[\]"]+/g, " ")).trim();
  if (line === "") return "task";
  if (line.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  return `${line.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).toWellFormed()}…`;
}
