import { terminalSafeLine } from "@caliban/common";
import {
  createProtocolServer,
  describeMemory,
  type OpenMemory,
  type ProtocolServerInput,
} from "@caliban/mcp";
import { findClientDirectory, serveStdio } from "@caliban/mcp/node";
import { isMemoryError } from "@caliban/memory";
import { renderDiagnostic, isSettingsError } from "@caliban/settings";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { UsageError, isUsageError } from "../../usage-error.ts";
import { listenForInterrupt } from "../interruption.ts";
import { openServedProject, type ServedProjectInput } from "./served-project.ts";

/** `caliban mcp`: serves the memory of a project to other agents until they disconnect. */
export async function serveMemory(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const report = (line: string): void => host.stderr(`caliban mcp: ${terminalSafeLine(line)}\n`);
  const input = { invocation, isReadOnly: options["readOnly"] === true, report };
  const port = portOption(invocation);
  if (port === undefined && host.inputKind() === "terminal") host.stderr(TERMINAL_HELP);
  const exitCode = port === undefined ? await overStdio(input) : await overHttp(input, port);
  return { stdout: "", exitCode };
}

const TERMINAL_HELP = `caliban mcp: this is an MCP server, which other agents start and talk to on stdin and stdout.
  Claude Code:  claude mcp add caliban -- caliban mcp
  Codex:        codex mcp add caliban -- caliban mcp
  Gemini CLI:   gemini mcp add caliban caliban mcp
  See docs/mcp.md for others and \`caliban mcp --help\` for options. Press Ctrl-D to stop.
`;

function portOption(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "http");
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port <= 65_535) return port;
  throw new UsageError(`invalid port for --http: '${text}'; use 0 to 65535 (0 picks a free one)`);
}

async function overStdio(input: ServedProjectInput): Promise<ExitCode> {
  const { invocation, isReadOnly, report } = input;
  const interruption = listenForInterrupt(invocation.host);
  // A named directory must be valid before the client connects.
  const named = invocation.workspace === undefined ? undefined : await openReported(input);
  const outcome = await serveStdio({
    pipe: await invocation.host.openPipe(),
    interrupted: interruption.ended,
    createServer: (requests) =>
      createProtocolServer({
        ...serverOptions(input),
        instructions: { isReadOnly, offBy: named?.memory.offBy ?? flagThatTurnsOff(invocation) },
        requests,
        open: async (client) => {
          if (named !== undefined) return named;
          const hint = "start `caliban mcp` with --workspace DIR to name the directory";
          const workspace = await findClientDirectory({ client, report, hint });
          return await openReported({ ...input, invocation: { ...invocation, workspace } });
        },
      }),
  });
  interruption.stop();
  // A client that closed its end is a normal way to finish.
  return (outcome === "interrupted" ? interruption.exitCode() : undefined) ?? EXIT.done;
}

/** Loaded only when used, because most clients use stdin and stdout. */
async function overHttp(input: ServedProjectInput, port: number): Promise<ExitCode> {
  const { host, workspace } = input.invocation;
  if (workspace === undefined)
    throw new UsageError(
      "--http requires --workspace DIR: HTTP clients have no directory of their own",
    );
  const interruption = listenForInterrupt(host);
  const { serveProjectHttp } = await import("./serve-http.ts");
  await serveProjectHttp({
    ...input,
    ...serverOptions(input),
    port,
    open: () => openReported(input),
    interrupted: interruption.ended,
  });
  interruption.stop();
  return interruption.exitCode() ?? EXIT.done;
}

function serverOptions({
  invocation,
  report,
}: ServedProjectInput): Pick<ProtocolServerInput, "version" | "report" | "describeProblem"> {
  return { version: invocation.host.version, report, describeProblem };
}

function describeProblem(error: unknown): readonly string[] | undefined {
  if (isSettingsError(error)) return error.problems.map((problem) => renderDiagnostic(problem));
  if (isUsageError(error) || isMemoryError(error)) return [error.message];
  return undefined;
}

/** Opens the memory and reports which one it is: the project, its number of topics, and what clients may do. */
async function openReported(input: ServedProjectInput): Promise<OpenMemory> {
  const { root, warnings, ...opened } = await openServedProject(input);
  for (const warning of warnings) input.report(warning);
  const { memory } = opened;
  const separator = memory.offBy === undefined ? "," : ".";
  input.report(`${root}${separator} ${await describeMemory(memory)}`);
  return opened;
}

/** Known before the project is open. */
function flagThatTurnsOff({ bare, memory }: Invocation): string | undefined {
  if (bare) return "--bare";
  return memory ? undefined : "--no-memory";
}
