interface Chunk {
  readonly type: string;
  code: string;
}

const RUNTIME_IMPORT = /import\{(\w+) as __toESM\}from"(\.\/rolldown-runtime\.js)";/;
const WRAPPED_IMPORT = /\.then\((\w+)=>(?:\/\*[^*]*\*\/\s*)?__toESM\(\1\.default,1\)\)/g;

/**
 * A chunk that imports a CommonJS library dynamically needs a helper of the bundler for the library's exports, and
 * imports the helper statically. Loads it with the library instead, which imports it anyway.
 */
export function lazyRuntime() {
  return {
    name: "lazy-runtime",
    generateBundle(_options: unknown, bundle: Record<string, Chunk>): void {
      for (const chunk of Object.values(bundle)) {
        const [written, helper, file] =
          (chunk.type === "chunk" && RUNTIME_IMPORT.exec(chunk.code)) || [];
        if (written === undefined) continue;
        const code = chunk.code
          .replace(written, "")
          .replace(
            WRAPPED_IMPORT,
            `.then(async file=>(await import("${file}")).${helper}(file.default,1))`,
          );
        if (!code.includes("__toESM")) chunk.code = code;
      }
    },
  };
}
