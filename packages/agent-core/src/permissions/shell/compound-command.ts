// Only `$NAME` and `${NAME}` are plain text substitutions: `$(…)`, `${x@P}` and `$[…]` can run commands.
const SEPARATOR = /[;&|\n\r`<>]|\$(?![A-Za-z_]|\{[A-Za-z_]\w*\})/;

// Brackets do not join commands, but a command may start after one, or after the `!` of an editor or an alias.
const BEFORE_COMMAND = /\$\(|[;&|\n\r`<>(){}]|(?<!\[)!/;

/** Whether a shell would do more with the text than run one command with its arguments. */
export function isCompound(command: string): boolean {
  return SEPARATOR.test(command);
}

/**
 * Splits a command line into the texts that a shell may run as commands. Quotes are ignored, so there may be too many:
 * when looking for forbidden commands, that is the safe side.
 */
export function commandParts(command: string): readonly string[] {
  const parts = command.split(BEFORE_COMMAND).map((part) => part.trim());
  // Repeated spaces mean nothing to a shell and must not hide a command from a rule.
  return [...parts, ...parts.map((part) => part.replace(/\s+/g, " "))];
}
