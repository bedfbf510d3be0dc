import type { Tool, ToolResult } from "@caliban/agent-core";
import { nearest } from "@caliban/common";

/** A skill as far as a model may ask for it. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** The tool that gives a skill's text by its name; `undefined` when there is none to give. */
export function createSkillTool(skills: readonly SkillText[]): Tool | undefined {
  if (skills.length === 0) return undefined;
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return {
    name: "Skill",
    description: "Gives the text of a skill by its name, when its description fits the task.",
    permission: "skill.read",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The skill's name as the prompt lists it." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    run: async (input) => skillResult(input, byName),
  };
}

function skillResult(input: unknown, byName: ReadonlyMap<string, SkillText>): ToolResult {
  const isObject = typeof input === "object" && input !== null;
  const name: unknown = isObject ? Reflect.get(input, "name") : undefined;
  if (typeof name !== "string" || (isObject && Object.keys(input).length > 1)) {
    return { text: 'Skill was not run. Call it with one field: {"name": "…"}.', isError: true };
  }
  const skill = byName.get(name);
  if (skill !== undefined) return { text: skill.body, data: { name } };
  const near = nearest(name, byName.keys());
  const hint =
    near === undefined ? `There are: ${[...byName.keys()].join(", ")}` : `Did you mean ${near}?`;
  return { text: `There is no skill ${JSON.stringify(name)}. ${hint}`, isError: true };
}
