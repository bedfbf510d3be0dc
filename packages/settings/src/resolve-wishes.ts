import type { KeyProblem, ParsedFile } from "./parse-file.ts";
import type { ServerSettings, ServerTable } from "./server-keys.ts";

/** A server that a file of the repository wishes for. It is nothing before the person approves of it. */
export interface ServerWish {
  readonly name: string;
  readonly settings: ServerSettings;
  /** The file that wishes for it. */
  readonly where: string;
}

export interface ResolvedWishes {
  readonly wishes: readonly ServerWish[];
  readonly warnings: readonly KeyProblem[];
}

/** Nobody reads more questions than this. */
const MOST_WISHES = 16;

/** What the repository's files wish for, in which a later file replaces an earlier one and nothing replaces the person's own. */
export function resolveWishes(own: ServerTable, projects: readonly ParsedFile[]): ResolvedWishes {
  const warnings: KeyProblem[] = [];
  const wishes = new Map<string, ServerWish>();
  for (const { path: where, values } of projects) {
    const given = values.get("mcp.servers");
    for (const [name, settings] of Object.entries(serversOf(given?.value))) {
      const problem = refusal(name, { own, wishes });
      if (problem === undefined) wishes.set(name, { name, settings, where });
      if (problem === undefined || problem === "") continue;
      const segments = [...(given?.segments ?? []), name];
      warnings.push({ code: "NOT_FOR_PROJECTS", where, segments, message: problem });
    }
  }
  return { wishes: [...wishes.values()], warnings };
}

/** Why a wish is not heard; an empty text when nobody has to be told. */
function refusal(
  name: string,
  { own, wishes }: { readonly own: ServerTable; readonly wishes: ReadonlyMap<string, ServerWish> },
): string | undefined {
  const mine = Object.hasOwn(own, name) ? own[name] : undefined;
  // That is how a person says no for good.
  if (mine?.enabled === false) return "";
  if (mine !== undefined)
    return `mcp.servers.${name} is ignored here: you have a server of that name.`;
  if (wishes.size < MOST_WISHES || wishes.has(name)) return undefined;
  return `mcp.servers.${name} is ignored here: a repository may wish for ${MOST_WISHES} servers at most.`;
}

function serversOf(value: unknown): ServerTable {
  // It was checked when the file was read.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value ?? {}) as ServerTable;
}
