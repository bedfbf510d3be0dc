import type { Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { run } from "../../../run.ts";
import { UsageError } from "../../../usage-error.ts";
import { promptWords } from "./prompt-words.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

type CapturedInput = Pick<SlashInput, "invocation" | "person">;

/** Runs a command line as a shell would, in the same workspace, and gives back what it printed. */
export async function runCaptured(
  argv: readonly string[],
  { invocation, person }: CapturedInput,
): Promise<SlashResult> {
  let printed = "";
  // What was printed before a question is what the question is about.
  const takePrinted = (): string => {
    const text = printed;
    printed = "";
    return text;
  };
  const write = (text: string): void => {
    printed += text;
  };
  const { host } = invocation;
  const captured: Host = {
    ...host,
    argv: [...argv, ...placeFlags(invocation)],
    isTerminal: true,
    isInteractive: () => true,
    stdout: write,
    stderr: write,
    confirm: async (question) => await person.confirm(question, takePrinted()),
    progressLine: () => person.progress,
    onInterrupt: (listener) => person.onInterrupt(() => listener("SIGINT")),
    openEditor: async (command, path) => await person.lend(() => host.openEditor(command, path)),
    readInput: async () => {
      // It asked for a text to be typed.
      printed = "";
      throw new UsageError(
        "its text cannot be typed here; use /remember, /memory edit, or a shell",
      );
    },
  };
  const exitCode = await run(captured);
  const kind = exitCode === EXIT.done ? "text" : "mistake";
  return { kind, text: promptWords(printed.replaceAll(BOLD, "**")) };
}

/** The screen makes every control character visible, so what a command prints in bold is marked by stars there. */
// oxlint-disable-next-line no-control-regex -- the only ones that a command prints
const BOLD = /\u001B\[(?:1|22)m/g;

/** The options that say where this conversation takes place. */
function placeFlags({
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
