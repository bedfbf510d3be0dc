import type { Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { run } from "../../../run.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderCommandReferences } from "./command-references.ts";
import type { SlashInput } from "./slash-command.ts";

type CapturedInput = Pick<SlashInput, "invocation" | "user">;

/** What a captured command printed. */
export interface CapturedOutput {
  readonly kind: "text" | "error";
  readonly text: string;
  /** Whether the user agreed to a question of the command. */
  readonly isConfirmed: boolean;
}

/** Runs a command line as a shell would, in the same workspace, and returns its output. */
export async function runCaptured(
  argv: readonly string[],
  { invocation, user }: CapturedInput,
): Promise<CapturedOutput> {
  let printed = "";
  let isConfirmed = false;
  const write = (text: string): void => {
    printed += text;
  };
  const confirm = async (question: string): Promise<boolean> => {
    // Whatever was printed before a question belongs to it.
    const about = printed;
    printed = "";
    isConfirmed = await user.confirm(question, about);
    return isConfirmed;
  };
  const { host } = invocation;
  const captured: Host = {
    ...host,
    argv: [...argv, ...contextFlags(invocation)],
    isTerminal: true,
    // The screen wraps and colors by itself.
    hasColor: () => false,
    columns: () => undefined,
    isInteractive: () => true,
    stdout: write,
    stderr: write,
    confirm,
    progressLine: () => user.progress,
    onInterrupt: (listener) => user.onInterrupt(() => listener("SIGINT")),
    openEditor: async (command, path) => await user.suspend(() => host.openEditor(command, path)),
    readInput: async () => {
      // Drops the request to type a text.
      printed = "";
      throw new UsageError(
        "its text cannot be typed here. Use /remember, /memory edit, or a shell",
      );
    },
  };
  const exitCode = await run(captured);
  const kind = exitCode === EXIT.done ? "text" : "error";
  const text = printed.replaceAll(PROGRAM_PREFIX, "").replaceAll(BOLD, "**");
  return { kind, text: renderCommandReferences(text), isConfirmed };
}

/** Starts each line on stderr; on the screen it is clear which program speaks. */
const PROGRAM_PREFIX = /^caliban: /gm;

/** The screen makes control characters visible, so bold output is marked with asterisks there. */
// oxlint-disable-next-line no-control-regex -- the only control characters that commands print
const BOLD = /\u001B\[(?:1|22)m/g;

/** The options that make a command run in the same place as this conversation. */
function contextFlags({
  workspace,
  additionalDirectories,
  bare,
  memory,
}: Invocation): readonly string[] {
  return [
    ...(workspace === undefined ? [] : [`--workspace=${workspace}`]),
    ...additionalDirectories.map((directory) => `--add-dir=${directory}`),
    ...(bare ? ["--bare"] : []),
    ...(memory ? [] : ["--no-memory"]),
  ];
}
