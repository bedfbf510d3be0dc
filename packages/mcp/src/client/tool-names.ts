import type { ListedTool } from "./tool-list.ts";
import { sanitizeLine } from "./untrusted.ts";

/** What every provider takes as the name of a tool. */
const MOST_CHARACTERS = 64;
const NOT_TAKEN = /[^A-Za-z0-9_-]/g;

/** A tool of a server under the name that the model knows. */
export interface NamedTool {
  readonly server: string;
  readonly name: string;
  readonly tool: ListedTool;
}

export interface NamedTools {
  readonly tools: readonly NamedTool[];
  /** Tools whose names are other ones here, and those that got none. */
  readonly problems: readonly string[];
}

/** `mcp__<server>__<tool>`. A name that cannot be taken as it is gets a mark of its own, the same in every session. */
export function nameTools(
  servers: readonly { readonly server: string; readonly tools: readonly ListedTool[] }[],
  taken: readonly string[] = [],
): NamedTools {
  const used = new Set(taken);
  const problems: string[] = [];
  const tools = servers
    .toSorted((a, b) => (a.server < b.server ? -1 : 1))
    .flatMap(({ server, tools: all }) =>
      all
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((tool): readonly NamedTool[] => {
          const plain = toolName(server, tool.name);
          const name = used.has(plain) ? markedName(server, tool.name) : plain;
          const shown = sanitizeLine(tool.name, 80);
          // Two that share a mark as well were made to.
          if (used.has(name)) {
            problems.push(`${server}: ${shown} is left out: another tool has its name`);
            return [];
          }
          if (!name.endsWith(`__${tool.name}`))
            problems.push(`${server}: ${shown} is ${name} here`);
          used.add(name);
          return [{ server, name, tool }];
        }),
    );
  return { tools, problems };
}

/** The name for the model, where nothing else has it. */
export function toolName(server: string, tool: string): string {
  const exact = `mcp__${server}__${tool}`;
  const isTaken = exact.length <= MOST_CHARACTERS && exact.search(NOT_TAKEN) === -1;
  return isTaken ? exact : markedName(server, tool);
}

function markedName(server: string, tool: string): string {
  const mark = `_${hashOf(`${server}\n${tool}`)}`;
  const plain = `mcp__${server}__${tool}`.replaceAll(NOT_TAKEN, "_");
  return plain.slice(0, MOST_CHARACTERS - mark.length) + mark;
}

const FNV_OFFSET = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

/** FNV-1a, eight letters of it: a name must be the same again, and nothing depends on its being hard to hit. */
export function hashOf(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
