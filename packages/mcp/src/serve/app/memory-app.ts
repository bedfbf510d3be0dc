import { isRecord } from "@caliban/common";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import type { McpTool, McpToolResult } from "@caliban/tools-builtin/mcp";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";
import type { ServedMemory } from "../served-memory.ts";

/** The extension with which a client says that it shows pages of servers. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui";
const APP_MIME_TYPE = "text/html;profile=mcp-app";
const APP_ADDRESS = "ui://caliban/memory";

/** The tool that makes a client show the page. It returns nothing that a model could not read otherwise. */
const APP_TOOL_NAME = "ShowMemory";

const APP_TOOL: McpTool & { _meta: object } = {
  name: APP_TOOL_NAME,
  title: "Show Memory",
  description:
    "Show the user a read-only page of this project's memory: topics, their history, what is in the prompt, and problems. Call it when the user wants to see or browse what is remembered. To read memory yourself, use the other tools.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: {
    title: "Show Memory",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  _meta: {
    ui: { resourceUri: APP_ADDRESS, visibility: ["model"] },
    // For older hosts.
    "ui/resourceUri": APP_ADDRESS,
  },
};

type AppMemory = Pick<ServedMemory, "renderPage" | "policy">;

/** The tool of the page, for a client that shows it. */
export function appTools(memory: AppMemory, isShown: boolean): readonly McpTool[] {
  return isShown && isOffered(memory) ? [APP_TOOL] : [];
}

function isOffered({ renderPage, policy }: AppMemory): boolean {
  return (
    renderPage !== undefined &&
    [ALL_MEMORY, "memory://prefix"].every((uri) => memoryPermission(uri, policy) === "allow")
  );
}

/** Whether the capabilities of a client say that it shows pages. */
export function showsApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities["extensions"] : undefined;
  const apps = isRecord(extensions) ? extensions[APPS_EXTENSION] : undefined;
  const types = isRecord(apps) ? (apps["mimeTypes"] ?? [APP_MIME_TYPE]) : [];
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}

/** Answers a call of the tool: the client shows the page by itself. `undefined` for any other tool. */
export function callAppTool(name: string, tools: readonly McpTool[]): McpToolResult | undefined {
  if (name !== APP_TOOL_NAME || tools.length === 0) return undefined;
  const text = "The page with the memory of this project is shown to the user. It changes nothing.";
  return { content: [{ type: "text", text }] };
}

/** How much a client has to take into a frame. */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;

/** Reads the page; `undefined` for another address. @throws ProtocolError if it may not be shown */
export async function readApp(uri: string, memory: AppMemory): Promise<object | undefined> {
  if (uri !== APP_ADDRESS) return undefined;
  if (memory.renderPage === undefined || !isOffered(memory))
    throw new ProtocolError(PROTOCOL_CODE.resourceNotFound, "the page is not available", { uri });
  const text = await memory.renderPage();
  if (text.length > MAX_PAGE_CHARACTERS) {
    const message = "this memory is too large for a page here; the user can run: caliban page";
    throw new ProtocolError(PROTOCOL_CODE.refused, message);
  }
  // Nothing is loaded and nothing is sent, so no domain is allowed.
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [] };
  return { uri, mimeType: APP_MIME_TYPE, text, _meta: { ui: { csp, prefersBorder: true } } };
}
