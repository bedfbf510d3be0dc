import { decidePermission, parsePolicy } from "../../../packages/agent-core/src/index.ts";
import {
  DENY_SPELLINGS,
  GIT_PUSH_SPELLINGS,
  LAUNCHED_SPELLINGS,
  LAUNCHERS,
} from "../../../test/attack/deny-spellings.ts";
import { type Attempt, requireOrdinary, type Surface } from "../surface.ts";

/** A denied command in another spelling. */
export const denySpellings: Surface = {
  name: "deny rules: spellings of the command",
  attack: async () => {
    requireOrdinary(!isDenied("rm*", "ls -la"), "everything is denied");
    return [
      ...DENY_SPELLINGS.map((command) => attempt("rm*", command)),
      ...LAUNCHERS.flatMap((launcher) =>
        LAUNCHED_SPELLINGS.map((command) => attempt("rm *", `${launcher}${command}`)),
      ),
      ...GIT_PUSH_SPELLINGS.map((command) => attempt("git push*", command)),
    ];
  },
};

function attempt(pattern: string, command: string): Attempt {
  return { name: `${pattern}: ${command}`, succeeded: !isDenied(pattern, command) };
}

/** In yolo mode, so that nothing but the rule can stop the command. */
function isDenied(pattern: string, command: string): boolean {
  const rules = [`shell.run(${pattern})`];
  const { policy, invalid } = parsePolicy([{ list: "deny", source: "--deny", rules }], "yolo");
  requireOrdinary(invalid.length === 0, `invalid rule ${pattern}`);
  const request = { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: command };
  return decidePermission(request, policy).kind === "deny";
}
