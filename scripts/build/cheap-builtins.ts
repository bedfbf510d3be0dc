import { createRequire, isBuiltin } from "node:module";

const PREFIX = "\0builtin:";
const require = createRequire(import.meta.url);

/**
 * Loads Node modules with `process.getBuiltinModule` instead of `import`. An import makes Node read every export,
 * including lazy getters: `node:process` opens the standard streams, `node:util` and `node:http` load modules that are
 * not needed, 3 to 30 ms each. Modules that a bundle never uses are never loaded.
 */
export function cheapBuiltins() {
  return {
    name: "cheap-builtins",
    resolveId: {
      order: "pre" as const,
      // One copy per importer, so that a rarely loaded file does not add exports to the copy of the other files.
      handler: (source: string, importer: string | undefined) =>
        isBuiltin(source)
          ? { id: `${PREFIX}${source}\0${importer}`, moduleSideEffects: false }
          : undefined,
    },
    load: (id: string): string | undefined =>
      id.startsWith(PREFIX)
        ? builtinModule(id.slice(PREFIX.length).split("\0")[0] ?? "")
        : undefined,
  };
}

/** The file that a copy of a built-in module was made for; `undefined` for any other module. */
export function importerOfBuiltin(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length).split("\0")[1] : undefined;
}

function builtinModule(name: string): string {
  const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
  // The default export often serves only one rare function, so it is loaded when that function is used.
  const whole = /^(?:node:)?process$/.test(name)
    ? "process"
    : `/*#__PURE__*/ new Proxy({}, { get: (_, key) => ${module}[key] })`;
  const named = Object.keys(require(name) as object)
    .filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default")
    .map((key) => `export const ${key} = /*#__PURE__*/ (() => ${exportOf(name, key, module)})();`);
  return [`export default ${whole};`, ...named].join("\n");
}

/** Modules that load many others, so that having one of their functions must not load them yet. */
const HEAVY = /^node:(?:child_process|crypto|http|https|net|tls|worker_threads|zlib)$/;

function exportOf(name: string, key: string, module: string): string {
  const isFunction = typeof (require(name) as Record<string, unknown>)[key] === "function";
  if (!HEAVY.test(name) || !isFunction) return `${module}.${key}`;
  // A proxy, because `promisify` and `instanceof` look at properties.
  const traps = [
    `apply: (_, self, args) => Reflect.apply(${module}.${key}, self, args)`,
    `construct: (_, args, made) => Reflect.construct(${module}.${key}, args, made)`,
    `get: (_, property) => ${module}.${key}[property]`,
  ];
  return `new Proxy(function () {}, { ${traps.join(", ")} })`;
}
