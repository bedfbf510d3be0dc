import type { ServerDiagnostic } from "../server-diagnostic.ts";
import { shortHash } from "../short-hash.ts";
import type { ListedTool } from "./tool-list.ts";
import { sanitizeLine } from "./untrusted.ts";

/** The limits that every provider accepts for the name of a tool. */
const MAX_CHARACTERS = 64;
const NOT_ACCEPTED = /[^A-Za-z0-9_-]/g;

/** A tool of a server with the name that the model uses. */
export interface NamedTool {
  readonly server: string;
  readonly name: string;
  readonly tool: ListedTool;
}

export interface NamedTools {
  readonly tools: readonly NamedTool[];
  /** Tools that were renamed or left out. */
  readonly diagnostics: readonly ServerDiagnostic[];
}

/**
 * Names tools `mcp__<server>__<tool>`. A name that providers would not accept, or that is taken, gets a hash at the end,
 * which is the same in every session.
 */
export function nameTools(
  servers: readonly { readonly server: string; readonly tools: readonly ListedTool[] }[],
  taken: readonly string[] = [],
): NamedTools {
  const used = new Set(taken);
  const diagnostics: ServerDiagnostic[] = [];
  const nameTool = (server: string, tool: ListedTool): readonly NamedTool[] => {
    const preferred = toolName(server, tool.name);
    const name = used.has(preferred) ? hashedName(server, tool.name) : preferred;
    const shown = sanitizeLine(tool.name, 80);
    // A second collision is a deliberate one.
    if (used.has(name)) {
      const message = `ignored ${shown}: its name is taken by another tool`;
      diagnostics.push({ server, code: "TOOL_LEFT_OUT", message });
      return [];
    }
    if (!name.endsWith(`__${tool.name}`))
      diagnostics.push({
        server,
        code: "TOOL_RENAMED",
        message: `${shown} is available as ${name}`,
      });
    used.add(name);
    return [{ server, name, tool }];
  };
  const tools = servers
    .toSorted((a, b) => (a.server < b.server ? -1 : 1))
    .flatMap(({ server, tools: all }) =>
      all.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap((tool) => nameTool(server, tool)),
    );
  return { tools, diagnostics };
}

/** The model's name for a tool, unless another tool has it. */
export function toolName(server: string, tool: string): string {
  const exact = `mcp__${server}__${tool}`;
  const isAccepted = exact.length <= MAX_CHARACTERS && exact.search(NOT_ACCEPTED) === -1;
  return isAccepted ? exact : hashedName(server, tool);
}

function hashedName(server: string, tool: string): string {
  const suffix = `_${shortHash(`${server}\n${tool}`)}`;
  const plain = `mcp__${server}__${tool}`.replaceAll(NOT_ACCEPTED, "_");
  return plain.slice(0, MAX_CHARACTERS - suffix.length) + suffix;
}
