import { parseCommandLine } from "../../apps/caliban/src/cli/parse.ts";

/** apps/caliban/src/cli/help-text.ts: the help as it is, so that `caliban --help` loads no parser. */
export function renderHelpModule(): string {
  const help = parseCommandLine(["--help"], "0.0.0");
  if (help.kind !== "help") throw new Error("--help gave no help");
  const literal = help.text.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
  return `/** What \`caliban --help\` prints; made from the command table by \`pnpm run docs\`. */
export const HELP_TEXT: string = \`\\
${literal}\`;
`;
}
