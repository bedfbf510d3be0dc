/** Each has more than one command, or text that the shell evaluates. No allow pattern for its beginning may cover it. */
export const COMPOUND_COMMANDS: readonly string[] = [
  "a; b",
  "a & b",
  "a && b",
  "a || b",
  "a | b",
  "a\nb",
  "a\rb",
  "a `b`",
  "a $(b)",
  "a > b",
  "a < b",
  "a <(b)",
  "git status ${x:='$'(touch PWNED)} ${x@P}",
  "git status ${x@P}",
  "git status $[a[0]]",
  "git status $'\\x3b'",
  'git status $"x"',
  "git status $@",
];

/** Each runs `rm -rf x`. */
export const HIDING_COMMANDS: readonly string[] = [
  "rm -rf x",
  "  rm -rf x",
  "rm   -rf\tx",
  "ls && rm -rf x",
  "ls;rm -rf x",
  "ls\nrm -rf x\n",
  "echo $(rm -rf x)",
  "echo `rm -rf x`",
  "(cd /tmp && (rm -rf x))",
  "{ rm -rf x; }",
  "cat <(rm -rf x)",
];
