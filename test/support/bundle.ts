import { type OutputChunk, rolldown } from "rolldown";

interface BundleInput {
  /** The source of a module, which may import by absolute path. */
  readonly source: string;
  /** `single`: one file, as deployed workers are. `split`: what is imported dynamically is in files of its own. */
  readonly files: "single" | "split";
}

const ID = "virtual:bundle";

/** Bundles a module for any runtime, minified. The first chunk is the module itself. */
export async function bundle({ source, files }: BundleInput): Promise<readonly OutputChunk[]> {
  const bundled = await rolldown({
    input: ID,
    platform: "neutral",
    resolve: {
      mainFields: ["module", "main"],
      conditionNames: ["workerd", "worker", "import", "default"],
    },
    external: /^node:/,
    // Dependencies mention Node modules in code that never runs here.
    logLevel: "silent",
    plugins: [
      {
        name: "virtual-module",
        resolveId: (requested) => (requested === ID ? ID : undefined),
        load: (requested) => (requested === ID ? source : undefined),
      },
    ],
  });
  const { output } = await bundled.generate({
    format: "esm",
    minify: true,
    codeSplitting: files === "split",
  });
  return output.filter((file) => file.type === "chunk");
}
