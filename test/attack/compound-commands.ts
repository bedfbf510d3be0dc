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

/** Commands that a user allows. */
export const ALLOWED_COMMANDS: readonly string[] = [
  "git status",
  "npm test",
  "ls -la",
  "echo done",
  "cat a.txt",
];

/** Ways to run a second command along with the first. */
export const CONNECTIONS: readonly ((first: string, second: string) => string)[] = [
  (first, second) => `${first}; ${second}`,
  (first, second) => `${first};${second}`,
  (first, second) => `${first} && ${second}`,
  (first, second) => `${first}&&${second}`,
  (first, second) => `${first} || ${second}`,
  (first, second) => `${first} | ${second}`,
  (first, second) => `${first} |& ${second}`,
  (first, second) => `${first} & ${second}`,
  (first, second) => `${first}\n${second}`,
  (first, second) => `${first}\r\n${second}`,
  (first, second) => `${first} \\\n; ${second}`,
  (first, second) => `${first} $(${second})`,
  (first, second) => `${first} "$(${second})"`,
  (first, second) => `${first} \`${second}\``,
  (first, second) => `${first} "\`${second}\`"`,
  (first, second) => `${first} <(${second})`,
  (first, second) => `${first} >(${second})`,
  (first, second) => `${first} \${x:-$(${second})}`,
  (first, second) => `${first} $((a[$(${second})]))`,
  (first, second) => `${first} 'a' ; ${second}`,
  (first, second) => `${first} "a" ; ${second}`,
  (first, second) => `${first} 'a\\' ; ${second} # '`,
  (first, second) => `${first} # '\n${second}`,
  (first, second) => `${first} <<< "$(${second})"`,
  (first, second) => `${first} > .git/hooks/pre-commit # ${second}`,
  (first, second) => `${first} >> ~/.bashrc # ${second}`,
  (first, second) => `${first} 2> x # ${second}`,
  (first, second) => `${first} &> x # ${second}`,
  (first, second) => `${first} \${x@P} # ${second}`,
];
