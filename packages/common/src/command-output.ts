/** A command that the user ran at the prompt, and what it printed. */
export interface UserCommand {
  readonly command: string;
  readonly output: string;
  readonly isError: boolean;
}

/** The message that tells a model about a command of the user. The output cannot close its element. */
export function renderUserCommand({ command, output, isError }: UserCommand): string {
  const escaped = output.replaceAll(/<(\\*)(\/?command-output)/gi, "<\\$1$2");
  return `!${command}\n\n<command-output status="${isError ? FAILED : OK}">\n${escaped}\n</command-output>`;
}

const OK = "ok";
const FAILED = "failed";
const RENDERED = /^!([^]*?)\n\n<command-output status="(ok|failed)">\n([^]*)\n<\/command-output>$/;

/** Reads such a message back; `undefined` for any other text. */
export function parseUserCommand(text: string): UserCommand | undefined {
  const match = RENDERED.exec(text);
  if (match === null) return undefined;
  const [, command = "", status, escaped = ""] = match;
  const output = escaped.replaceAll(/<\\(\\*)(\/?command-output)/gi, "<$1$2");
  return { command, output, isError: status === FAILED };
}
