import { createMemoryTools, createSkillTool } from "../../packages/tools-builtin/src/index.ts";
import type { Tool } from "../../packages/agent-core/src/tool.ts";

/** docs/tools.md, from the definitions that models get. */
export function renderToolsPage(): string {
  return `# Tools

Made from the definitions by \`pnpm run docs\`; a test checks that it is up to date. The same tools work in the AI SDK and over MCP
([\`@caliban/tools-builtin\`](../packages/tools-builtin/README.md)).

${[...memoryTools(), ...skillTools()].map(renderTool).join("\n")}`;
}

/** Only their descriptions are asked for, so there is nothing behind them. */
function memoryTools(): readonly Tool[] {
  return createMemoryTools({
    store: { list: unused, read: unused, write: unused, remove: unused },
    now: () => 0,
  });
}

function unused(): never {
  throw new Error("a page reads no memory");
}

function skillTools(): readonly Tool[] {
  return [createSkillTool([{ name: "any", description: "any", body: "any" }])].flatMap(
    (tool) => tool ?? [],
  );
}

function renderTool({ name, description, permission, isReadOnly, inputSchema }: Tool): string {
  return [
    `## ${name}`,
    "",
    description,
    "",
    `- Permission: \`${permission}\`${isReadOnly ? "; works in plan mode" : ""}`,
    "",
    "```json",
    renderSchema(inputSchema),
    "```",
    "",
  ].join("\n");
}

/** Short lists on one line, as the formatter has them. */
function renderSchema(schema: Tool["inputSchema"]): string {
  return JSON.stringify(schema, undefined, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_, items: string) => `[${items.split(/,\n\s+/).join(", ")}]`,
  );
}
