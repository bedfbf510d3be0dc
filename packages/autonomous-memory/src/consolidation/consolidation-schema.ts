import type { JsonSchema } from "../complete.ts";

const FILES: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content"],
    properties: {
      path: { type: "string", description: "File name, relative to its folder." },
      content: { type: "string" },
    },
  },
};

/** Form of the whole memory as a model answers it. */
export const CONSOLIDATION_SCHEMA: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["memory_md", "memory_summary", "skills"],
  properties: {
    memory_md: { type: "string", description: "The whole long-term document, in Markdown." },
    memory_summary: {
      type: "string",
      description: "What is shown at the start of every session, at most 1,200 words.",
    },
    skills: {
      type: "array",
      description: "All playbooks that are to exist.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "content", "scripts", "templates", "examples"],
        properties: {
          name: { type: "string", description: "Lower-case letters, digits and dashes." },
          content: { type: "string", description: "SKILL.md with its front matter." },
          scripts: FILES,
          templates: FILES,
          examples: FILES,
        },
      },
    },
  },
};
