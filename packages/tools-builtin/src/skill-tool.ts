import type { Tool, ToolResult } from "@caliban/agent-core";
import { nearest } from "@caliban/common";
import { sanitizeOutput } from "@caliban/memory";

/** A skill that the model can load. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** Creates the tool that returns the text of a skill. Returns `undefined` if there are no skills. */
export function createSkillTool(skills: readonly SkillText[]): Tool | undefined {
  if (skills.length === 0) return undefined;
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return {
    name: "Skill",
    description:
      "Load the text of a skill by name. Use it when the skill's description fits the task.",
    permission: "skill.read",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The name of the skill, as listed in the prompt." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    run: async (input) => readSkill(input, byName),
  };
}

function readSkill(input: unknown, byName: ReadonlyMap<string, SkillText>): ToolResult {
  const isObject = typeof input === "object" && input !== null;
  const name: unknown = isObject ? Reflect.get(input, "name") : undefined;
  if (typeof name !== "string" || (isObject && Object.keys(input).length > 1)) {
    return { text: 'Skill was not run. Call it with one field: {"name": "…"}.', isError: true };
  }
  const skill = byName.get(name);
  if (skill !== undefined) return { text: sanitizeOutput(skill.body), data: { name } };
  const near = nearest(name, byName.keys());
  const hint =
    near === undefined
      ? `Available skills: ${[...byName.keys()].join(", ")}`
      : `Did you mean ${near}?`;
  return { text: `There is no skill named ${JSON.stringify(name)}. ${hint}`, isError: true };
}
