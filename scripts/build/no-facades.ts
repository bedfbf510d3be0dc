interface Chunk {
  readonly type: string;
  code: string;
}

const FACADE = /^\s*export\s*\{([^}]*)\}\s*from\s*"(\.\/[^"]+)";?\s*$/;

/**
 * A dynamic import of a module that shares its chunk with others goes through a file of one line that only renames
 * exports. Loading it costs as much as loading any file, so the import goes straight to the chunk.
 */
export function noFacades() {
  return {
    name: "no-facades",
    generateBundle(_options: unknown, bundle: Record<string, Chunk>): void {
      const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
      for (const [file, { type, code = "" }] of Object.entries(bundle)) {
        const [, names, target] = (type === "chunk" && FACADE.exec(code)) || [];
        if (names === undefined || target === undefined) continue;
        const dynamicImport = new RegExp(
          `import\\((["'\`])\\./${file.replaceAll(".", "\\.")}\\1\\)`,
          "g",
        );
        for (const chunk of chunks) {
          chunk.code = chunk.code.replaceAll(
            dynamicImport,
            `import("${target}").then((file)=>({${renamedExports(names)}}))`,
          );
        }
        const isStillReferenced = chunks.some((chunk) => chunk.code.includes(`./${file}`));
        if (!isStillReferenced) delete bundle[file];
      }
    },
  };
}

/** `a as b,c` becomes `b:file.a,c:file.c`. */
function renamedExports(names: string): string {
  return names
    .split(",")
    .map((name) => name.trim().split(/\s+as\s+/))
    .map(([internal = "", exported = internal]) => `${exported}:file.${internal}`)
    .join(",");
}
