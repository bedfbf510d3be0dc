/**
 * Arguments of one program that neither write, nor run, nor load anything that the command does not name. A pattern with a
 * star covers these; everything else must be spelled out in the pattern.
 */
export interface SafeArguments {
  /** Short options as for getopt: `n:` takes a value, which may be attached. */
  readonly short?: string;
  /** Long options without their dashes, separated by spaces. `name:` takes a value, which may be the next word. */
  readonly long?: string;
  /** Options that take the next word as their value and must be spelled out. */
  readonly spelledWithValue?: string;
  /** Options with one dash and more than one letter, as in find. */
  readonly words?: string;
  /** Whether the first word may consist of short options without a dash, as in `tar tf x`. */
  readonly bareOptions?: true;
  /** Subcommands, which are the first operand. Others must be spelled out. */
  readonly subcommands?: Readonly<Record<string, SafeArguments>>;
  /** Subcommands that must be spelled out, even where unknown ones need not be. */
  readonly spelledSubcommands?: string;
  /** What follows the first operand, other than operands and options: arguments of another program, or a whole command. */
  readonly afterOperand?: "anything" | "command";
  /** What an operand looks like that needs not be spelled out. */
  readonly operand?: RegExp;
  /** What a script looks like that only reads and prints: the first operand, or the value of `-e`. */
  readonly script?: RegExp;
}
