interface Chunk {
  readonly type: string;
  code: string;
}

const FACADE = /^\s*export\s*\{\s*(\w+) as (\w+)\s*\}\s*from\s*"(\.\/[^"]+)";?\s*$/;

/**
 * A dynamic import of a module that shares its file with others goes through a file of one line, which only renames
 * an export. Loading it costs as much as loading any file, so the import goes straight to the other one.
 */
export function noFacades() {
  return {
    name: "no-facades",
    generateBundle(_options: unknown, bundle: Record<string, Chunk>): void {
      const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
      for (const [file, { type, code = "" }] of Object.entries(bundle)) {
        const [, internal, exported, target] = (type === "chunk" && FACADE.exec(code)) || [];
        if (internal === undefined || exported === undefined || target === undefined) continue;
        const dynamicImport = new RegExp(
          `import\\((["'\`])\\./${file.replaceAll(".", "\\.")}\\1\\)`,
          "g",
        );
        for (const chunk of chunks) {
          chunk.code = chunk.code.replaceAll(
            dynamicImport,
            `import("${target}").then((file)=>({${exported}:file.${internal}}))`,
          );
        }
        const isStillNamed = chunks.some((chunk) => chunk.code.includes(`./${file}`));
        if (!isStillNamed) delete bundle[file];
      }
    },
  };
}
