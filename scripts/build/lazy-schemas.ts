const FACADE = "\0lazy-zod";
const SCHEMAS = "\0used-zod";

/** The functions that the providers make schemas with. A list, because a whole namespace would bring every language of zod. */
const USED = [
  "any",
  "array",
  "boolean",
  "coerce",
  "discriminatedUnion",
  "enum",
  "intersection",
  "json",
  "lazy",
  "literal",
  "looseObject",
  "never",
  "null",
  "number",
  "object",
  "partialRecord",
  "record",
  "strictObject",
  "string",
  "tuple",
  "union",
  "unknown",
] as const;

interface Resolver {
  readonly resolve: (source: string, importer: string) => Promise<{ readonly id: string } | null>;
}

/**
 * Loads zod when the AI SDK validates something for the first time, which is the first part of an answer: making and
 * loading its schemas takes 10 ms, and nothing that is sent needs them.
 */
export function lazySchemas() {
  let importer = "";
  return {
    name: "lazy-schemas",
    resolveId: {
      order: "pre" as const,
      handler: (source: string) =>
        source === FACADE || source === SCHEMAS ? { id: source } : undefined,
    },
    async load(this: Resolver, id: string): Promise<string | undefined> {
      if (id === FACADE) return FACADE_CODE;
      if (id !== SCHEMAS) return undefined;
      const path = async (source: string): Promise<string> =>
        JSON.stringify((await this.resolve(source, importer))?.id);
      return [
        `import * as all from ${await path("zod/v4")};`,
        `export { safeParseAsync } from ${await path("zod/v4")};`,
        `export { config, toJSONSchema } from ${await path("zod/v4/core")};`,
        `export { default as en } from ${await path("zod/v4/locales/en.js")};`,
        `export const z = { ${USED.map((name) => `${name}: all.${name}`).join(", ")} };`,
      ].join("\n");
    },
    transform: {
      filter: {
        // The other providers make schemas when they are loaded.
        id: /[\\/]@ai-sdk[\\/](?:provider-utils|anthropic)[\\/]|[\\/]eventsource-parser[\\/]dist[\\/]stream\.js$/,
      },
      handler: (code: string, id: string): string | undefined => {
        if (/[\\/]eventsource-parser[\\/]/.test(id)) return lazyStream(code, id);
        if (!/from "zod\//.test(code)) return undefined;
        const lazy = code.replaceAll(ZOD_IMPORT, (_, named, whole) =>
          named === undefined
            ? `import { ${whole} } from "${FACADE}";`
            : `import {${named}} from "${FACADE}";`,
        );
        if (/from "zod/.test(lazy)) throw new Error(`${id} imports zod in another way`);
        checkUse(lazy, id);
        importer = id;
        if (!/[\\/]provider-utils[\\/]/.test(id)) return lazy;
        return replaceAll(`import { loadZod } from "${FACADE}";\n${lazy}`, id);
      },
    },
  };
}

/** What zod is used for is assigned when it is loaded; the importers see that, because exports are live. */
const FACADE_CODE = `
export let z, safeParseAsync, config, toJSONSchema, en;
let loading;
export const loadZod = () => z === undefined ? (loading ??= load()) : undefined;
const load = async () => {
  ({ z, safeParseAsync, config, toJSONSchema, en } = await import("${SCHEMAS}"));
};`;

const ZOD_IMPORT = /^import (?:\{([^}]*)\}|(\w+)) from "zod\/v4[^"]*";$/gm;

function checkUse(code: string, id: string): void {
  for (const [, name = ""] of code.matchAll(/\bz\.(\w+)/g)) {
    if (!USED.some((used) => used === name)) throw new Error(`add z.${name} of ${id} to the list`);
  }
}

/** The class extends one of Node's streams of the web, which are loaded with the first answer instead. */
function lazyStream(code: string, id: string): string {
  const lazy = code.replace(
    /^class (EventSourceParserStream) (extends TransformStream \{[^]*?^\})/m,
    "let made;\nfunction $1(options) {\n  made ??= class $2;\n  return new made(options);\n}",
  );
  if (lazy === code) throw new Error(`${id} has changed; look for the class`);
  return lazy;
}

/** Everything is validated in these two functions. */
const REPLACED: readonly (readonly [from: string, to: string])[] = [
  [
    "async function safeValidateTypes({ value, schema, context }) {\n",
    "async function safeValidateTypes({ value, schema, context }) {\n\tawait loadZod();\n",
  ],
  [
    "\tconst actualSchema = asSchema(schema);\n\treturn jsonSchema({}, { validate: async (value) => {\n",
    "\treturn jsonSchema({}, { validate: async (value) => {\n\t\tawait loadZod();\n\t\tconst actualSchema = asSchema(schema);\n",
  ],
  // The mark of the prompt cache, which we set ourselves, is in no schema, or as it is.
  [
    "\tif (providerOptions?.[provider] == null) return;\n\tconst parsedProviderOptions",
    '\tif (providerOptions?.[provider] == null) return;\n\tif (Object.keys(providerOptions[provider]).every((key) => key === "cacheControl")) return providerOptions[provider];\n\tconst parsedProviderOptions',
  ],
];

function replaceAll(code: string, id: string): string {
  const replaced = REPLACED.reduce((text, [from, to]) => {
    if (!text.includes(from) && /[\\/]dist[\\/]index\.js$/.test(id))
      throw new Error(`${id} has changed; look for: ${from}`);
    return text.replace(from, to);
  }, code);
  // Making a decoder loads all of Node's streams of the web, and only an answer needs one.
  return replaced.replaceAll(
    /^const (textDecoder\S*) = new TextDecoder\(\);/gm,
    "const $1 = { decode: (...args) => new TextDecoder().decode(...args) };",
  );
}
