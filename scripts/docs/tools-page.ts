import {
  createMemoryTools,
  createPlanTool,
  createSkillTool,
  createTodoTool,
} from "../../packages/tools-builtin/src/index.ts";
import { createFileTools } from "../../packages/tools-builtin/src/node/index.ts";
import { createSubagentTool } from "../../packages/agent-core/src/subagent/subagent-tool.ts";
import type { Tool } from "../../packages/agent-core/src/tool.ts";

/** docs/tools.md, from the tool definitions that models get. */
export function renderToolsPage(): string {
  return `# Tools

The tools a model can call. Generated from their definitions by \`pnpm run docs\`; a test checks that it is up to date. The same
tools work in the AI SDK and over MCP ([\`@caliban/tools-builtin\`](../packages/tools-builtin/README.md)).

Files can be read and written only in the workspace and in added directories; symbolic links do not lead out. Memory, skills and
saved command output can also be read. Writing to [protected paths](permissions.md#protected-paths)
asks every time, and commands run in a [sandbox](sandbox.md). Web pages are fetched from public addresses only, and
[each host](permissions.md#rules) needs permission. \`Task\` offers a \`model\` only if \`models.smol\` is set.

${[...fileTools(), ...memoryTools(), ...skillTools(), createTodoTool(), ...agentTools()].map(renderTool).join("\n")}`;
}

/** Only the definitions are needed, so nothing works. */
function fileTools(): readonly Tool[] {
  return createFileTools({
    root: "/",
    startDirectory: "/",
    additionalDirectories: [],
    readableDirectories: [],
    env: {},
    secretVariables: [],
    platform: "linux",
    outputDirectory: unused,
  });
}

function memoryTools(): readonly Tool[] {
  const store = { list: unused, read: unused, write: unused, remove: unused };
  return createMemoryTools({
    store,
    userScope: { store },
    search: { search: unused },
    undoHint: (change) => `caliban memory undo ${change}`,
    now: () => 0,
  });
}

function unused(): never {
  throw new Error("the docs page runs no tools");
}

function skillTools(): readonly Tool[] {
  return [createSkillTool([{ name: "any", description: "any", body: "any" }])].flatMap(
    (tool) => tool ?? [],
  );
}

function agentTools(): readonly Tool[] {
  return [
    createSubagentTool({ open: unused, models: ["smol"] }),
    createPlanTool({ isPlanning: () => false, askPlan: () => undefined }),
  ];
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

/** Puts short lists on one line, as the formatter does. */
function renderSchema(schema: Tool["inputSchema"]): string {
  return JSON.stringify(schema, undefined, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_, items: string) => `[${items.split(/,\n\s+/).join(", ")}]`,
  );
}
