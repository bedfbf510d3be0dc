import { PipelineError } from "../run/errors.ts";
import { insideBoundary } from "./boundaries.ts";
import { PROMPT_TEXTS } from "./prompt-texts.ts";
import { type PromptName, PROMPT_VARIABLES, type PromptVariables } from "./prompt-variables.ts";

const PLACEHOLDER = /\{\{(?<name>\w+)\}\}/g;
const LINE_BREAKS = /[\s\p{Cc}\u2028\u2029]+/gu;

/**
 * A prompt with its variables replaced once: nothing in a value is expanded, or can close the boundary around it. A value
 * that shares its line with other text stays on that line.
 * @throws PipelineError `UNKNOWN_VARIABLE` or `MISSING_VARIABLE`
 */
export function renderPrompt<Name extends PromptName>(
  name: Name,
  variables: PromptVariables<Name>,
): string {
  const declared: readonly string[] = PROMPT_VARIABLES[name];
  const values = new Map<string, unknown>(Object.entries(variables));
  for (const variable of values.keys()) {
    if (declared.includes(variable)) continue;
    throw new PipelineError(
      "UNKNOWN_VARIABLE",
      `prompts/${name}.md has no variable ${JSON.stringify(variable)}; it declares ${declared.join(", ") || "none"}.`,
    );
  }
  const valueOf = (variable: string): string => {
    const value = values.get(variable);
    if (typeof value === "string") return insideBoundary(value);
    throw new PipelineError(
      "MISSING_VARIABLE",
      `prompts/${name}.md requires a text for its variable ${JSON.stringify(variable)}.`,
    );
  };
  return PROMPT_TEXTS[name]
    .split("\n")
    .map((line) => renderLine(line, valueOf))
    .join("\n")
    .trimEnd();
}

function renderLine(line: string, valueOf: (variable: string) => string): string {
  const alone = /^\{\{(\w+)\}\}$/.exec(line)?.[1];
  if (alone !== undefined) return valueOf(alone);
  return line.replaceAll(PLACEHOLDER, (_placeholder, variable: string) =>
    valueOf(variable).replace(LINE_BREAKS, " ").trim(),
  );
}
