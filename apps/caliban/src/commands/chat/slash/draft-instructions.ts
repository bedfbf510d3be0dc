/** What was seen of a project. */
export interface ProjectFacts {
  readonly name: string;
  /** The first sentence or so about it. */
  readonly about: string | undefined;
  /** Commands with what they are for, in the order in which they are shown. */
  readonly commands: readonly ProjectCommand[];
  /** Names of the directories at the top. */
  readonly directories: readonly string[];
}

export interface ProjectCommand {
  readonly command: string;
  readonly purpose: string;
}

/** A first CLAUDE.md: what is known, and room for what only people know. */
export function draftInstructions({ name, about, commands, directories }: ProjectFacts): string {
  const sections = [
    `# ${name}`,
    about ?? "<!-- One sentence: what this project is for. -->",
    commands.length === 0
      ? "## Commands\n\n<!-- How to build it, test it, run it. -->"
      : `## Commands\n\n${commands.map(commandLine).join("\n")}`,
    ...(directories.length === 0
      ? []
      : [`## Layout\n\n${directories.map((directory) => `- \`${directory}/\``).join("\n")}`]),
    "## Conventions\n\n<!-- What reviewers say again and again. Lines like this one are not sent to the model. -->",
  ];
  return `${sections.join("\n\n")}\n`;
}

function commandLine({ command, purpose }: ProjectCommand): string {
  return `- \`${command}\`: ${purpose}`;
}
