import { decidePermission, parsePolicy } from "../../../packages/agent-core/src/index.ts";
import {
  ALLOWED_COMMANDS,
  COMPOUND_COMMANDS,
  CONNECTIONS,
} from "../../../test/attack/compound-commands.ts";
import { UNSAFE_OPTIONS } from "../../../test/attack/unsafe-options.ts";
import { type Attempt, requireOrdinary, type Surface } from "../surface.ts";

/** A second command behind one that a rule allows. */
export const hiddenCommands: Surface = {
  name: "allow rules: hidden or compound command",
  attack: async () => {
    for (const command of ALLOWED_COMMANDS) {
      requireOrdinary(isAllowed(`${command}*`, command), `${command} is not allowed`);
    }
    return [
      ...COMPOUND_COMMANDS.map((command) => attempt(`${command.split(/\s|;/, 1)[0]}*`, command)),
      ...ALLOWED_COMMANDS.flatMap((allowed) =>
        CONNECTIONS.map((connect) => attempt(`${allowed}*`, connect(allowed, "rm -rf x"))),
      ),
    ];
  },
};

/** Options with which an allowed program writes, runs or loads something. */
export const allowedOptions: Surface = {
  name: "allow rules: options that write, run or load",
  attack: async () => {
    requireOrdinary(isAllowed("git log*", "git log --oneline -5"), "git log is not allowed");
    return UNSAFE_OPTIONS.map(([pattern, command]) => attempt(pattern, command));
  },
};

function attempt(pattern: string, command: string): Attempt {
  return { name: `${pattern}: ${command}`, succeeded: isAllowed(pattern, command) };
}

function isAllowed(pattern: string, command: string): boolean {
  const rules = [`shell.run(${pattern})`];
  const { policy, invalid } = parsePolicy([{ list: "allow", source: "--allow", rules }], "default");
  requireOrdinary(invalid.length === 0, `invalid rule ${pattern}`);
  const request = { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: command };
  return decidePermission(request, policy).kind === "allow";
}
