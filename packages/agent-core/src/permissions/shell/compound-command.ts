// Of what a dollar can do, only `$NAME` and `${NAME}` just stand for a text: `$(…)`, `${x@P}` and `$[…]` can run commands.
const SEPARATOR = /[;&|\n\r`<>]|\$(?![A-Za-z_]|\{[A-Za-z_]\w*\})/;

// Brackets do not join commands, but a command may begin behind one.
const BEFORE_COMMAND = /\$\(|[;&|\n\r`<>(){}]/;

/** Whether a shell would do more with a text than run one command with its arguments. */
export function isCompound(command: string): boolean {
  return SEPARATOR.test(command);
}

/**
 * The texts in which a shell may see a command of its own. Quotes are not understood, so there may be too many: for
 * finding what is forbidden, one too many is the safe side.
 */
export function commandParts(command: string): readonly string[] {
  const parts = command.split(BEFORE_COMMAND).map((part) => part.trim());
  // A second blank between two words means nothing to a shell, and must not hide the words from a rule.
  return [...parts, ...parts.map((part) => part.replace(/\s+/g, " "))];
}
