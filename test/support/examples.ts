import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import { fencedBlocks } from "./markdown-blocks.ts";

/** A folder of `examples/`. */
export interface Example {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly manifest: {
    readonly name: string;
    readonly private: boolean;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  readonly readme: string;
  readonly main: string;
  /** The output that its README shows. */
  readonly output: string | undefined;
}

/** Every example of the repository. */
export const EXAMPLES: readonly Example[] = readdirSync(join(root, "examples")).map((name) => {
  const directory = join(root, "examples", name);
  const read = (file: string): string => readFileSync(join(directory, file), "utf8");
  const readme = read("README.md");
  return {
    name,
    directory,
    manifest: JSON.parse(read("package.json")) as Example["manifest"],
    readme,
    main: read("main.ts"),
    output: fencedBlocks(readme).find(({ language }) => language === "text")?.code,
  };
});

/** An environment without an API key, in which the examples use a scripted model. */
export function withoutKey(temporary: string): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  // Tests send nothing to anyone.
  const quiet = { NODE_NO_WARNINGS: "1", MASTRA_TELEMETRY_DISABLED: "1" };
  return { PATH, SystemRoot, TMPDIR: temporary, TEMP: temporary, ...quiet };
}
