import type { SpellCommand } from "@caliban/common";
import type { Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { run } from "../../../run.ts";
import { UsageError } from "../../../usage-error.ts";
import type { SlashInput } from "./slash-command.ts";

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
  { invocation, user, conversation }: Pick<SlashInput, "invocation" | "user" | "conversation">,
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
    ...atPrompt(host),
    argv: [...argv, ...contextFlags(invocation)],
    isTerminal: true,
    // The screen shows bold text in the output of a command.
    hasBold: true,
    runningSession: conversation.id(),
    isInteractive: () => true,
    stdout: write,
    stderr: write,
    // On the screen it is clear which program speaks.
    report: (message) => write(`${message}\n`),
    confirm,
    choose: async (question, choices) => {
      const about = printed;
      printed = "";
      return await user.choose(question, choices, about);
    },
    progressLine: () => user.progress,
    onInterrupt: (listener) => user.onInterrupt(() => listener("SIGINT")),
    openEditor: async (command, path) => await user.suspend(() => host.openEditor(command, path)),
    readInput: async () => {
      // Drops the request to type a text.
      printed = "";
      throw new UsageError(
        "the text cannot be typed here. Use /remember, /memory edit, or a shell",
      );
    },
  };
  const exitCode = await run(captured);
  return { kind: exitCode === EXIT.done ? "text" : "error", text: printed, isConfirmed };
}

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

/** The host of a conversation on the screen: messages name commands as they are typed at its prompt. */
export function atPrompt(host: Host): Host {
  return {
    ...host,
    command: promptSpelling(host.command),
    // The screen wraps and colors by itself, and shows no control characters.
    hasColor: () => false,
    hasBold: false,
    columns: () => undefined,
  };
}

/** `/memory undo 3` for `memory undo 3`. A command that the prompt does not have is spelled for a shell. */
function promptSpelling(shell: SpellCommand): SpellCommand {
  return (words) => {
    const [name = "", ...rest] = words.split(" ");
    const slash = SLASH_NAMES[name];
    return LISTS[words] ?? (slash === undefined ? shell(words) : [slash, ...rest].join(" "));
  };
}

const SLASH_NAMES: Readonly<Record<string, string | undefined>> = {
  memory: "/memory",
  settings: "/settings",
  "--model": "/model",
};

/** Commands with a shorter equivalent at the prompt. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  sessions: "/resume",
  "mcp list": "/mcp",
  hooks: "/hooks",
  "memory --help": "/memory help",
};
