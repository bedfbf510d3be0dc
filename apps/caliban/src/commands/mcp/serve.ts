import { terminalSafeLine } from "@caliban/common";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { type ExitCode, EXIT, SIGNAL_EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { type ServeInput, serveStdio } from "../../../../../packages/mcp/src/node/serve/serve-stdio.ts";
import type { Host } from "../../host.ts";

/** `caliban mcp`: the memory of a project for other agents, until they are done with it. */
export async function serveMemory(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const say = (line: string): void => host.stderr(`caliban mcp: ${terminalSafeLine(line)}\n`);
  const input = { invocation, isReadOnly: options["readOnly"] === true, say };
  const port = portOption(invocation);
  if (port === undefined && host.inputKind() === "terminal") host.stderr(ON_A_TERMINAL);
  const exitCode = port === undefined ? await serveStdio(input) : await overHttp(input, port);
  return { stdout: "", exitCode };
}

/** Most clients speak on stdin and stdout, and need nothing of it. */
async function overHttp(input: ServeInput, port: number): Promise<ExitCode> {
  const { serveHttp } = await import("../../../../../packages/mcp/src/node/serve/serve-http.ts");
  return await serveHttp(input, port);
}

const ON_A_TERMINAL = `caliban mcp: this is a server of the Model Context Protocol, which other agents
  start and speak to on stdin and stdout.
  Claude Code:  claude mcp add caliban -- caliban mcp
  Codex:        codex mcp add caliban -- caliban mcp
  Gemini CLI:   gemini mcp add caliban caliban mcp
  docs/mcp.md has more of them, and \`caliban mcp --help\` the options. Ctrl-D ends it.
`;

function portOption(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "http");
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port <= 65_535) return port;
  throw new UsageError(`--http ${text} is no port; a number from 0 to 65535 is, and 0 picks one`);
}

/** The first wish to end, as the exit code that it leads to. */
export function untilInterrupted({ onInterrupt }: Pick<Host, "onInterrupt">): {
  readonly ended: Promise<ExitCode>;
  readonly stop: () => void;
} {
  const { promise: ended, resolve } = Promise.withResolvers<ExitCode>();
  const stop = onInterrupt((reason) =>
    // A client that is gone has what it wanted.
    resolve(reason === "output-lost" ? EXIT.done : SIGNAL_EXIT[reason]),
  );
  return { ended, stop };
}
