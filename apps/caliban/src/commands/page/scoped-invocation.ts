import type { PageScope } from "@caliban/page";
import type { Invocation } from "../../command.ts";

/** The invocation of a command of `caliban memory` about one scope. */
export function inScope(invocation: Invocation, scope: PageScope): Invocation {
  return { ...invocation, operands: [], json: false, options: { user: scope === "user" } };
}
