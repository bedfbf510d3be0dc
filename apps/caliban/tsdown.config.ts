import { defineConfig } from "tsdown/config";
import { cheapBuiltins } from "../../scripts/build/cheap-builtins.ts";
import { leanHeaders } from "../../scripts/build/lean-headers.ts";
import { noFacades } from "../../scripts/build/no-facades.ts";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { library } from "../../tsdown.config.ts";

/** Our own files by name: small, because they run before the compile cache is on. */
const BEFORE_CACHE = ["main", "user-directories", "paths"];

/** What only a rare case needs, with the libraries behind it; each stays in a file of its own. */
const RARE = `
  locate-key patch-settings parse-argument settings-edit edit-user-settings
  write-file-atomic change-approvals memory-approve adopt-memory memory-adopt
  git-facts excludes parse parse-skill parse-skill-file front-matter user-input write-project-record memory-input parse-input file-input search-memory sanitize-line
  disk file-lock lock-record machine process-group remove-file windows-directories
  anthropic openai google openai-compatible https-transport body-decoder
  byte-pipe mcp-servers mcp-tools
  learned-memory taken-skill-names stream-messages stream-turns spoken-turn transcript-position
`.split(/\s+/);

/** Folders of such files. */
const RARE_FOLDER =
  /[\\/]autonomous-memory[\\/]src[\\/]|[\\/]sessions[\\/]src[\\/]readers[\\/]|[\\/]caliban[\\/]src[\\/](?:pipeline|project[\\/]search)[\\/]|[\\/]packages[\\/]mcp[\\/]src[\\/]|[\\/]memory[\\/]src[\\/](?:search|store|index-file|history)[\\/]|[\\/]src[\\/](?:commands[\\/](?:topics|exchange|doctor|sessions|memory[\\/]learned|mcp)|offline|front-matter|secrets|testing|(?:node[\\/])?topics?|node[\\/](?:files|shell|search))[\\/]/;

/** What the prompt needs of topics and headers all the same: to hold the index against the files that are there. */
const NOT_RARE = `
  plain-front-matter split-front-matter
  age lazy-store fs-topic-store history-tail edit-index index-lines render-line limits one-line slug topic-files topic-type
`.split(/\s+/);

/** What a prompt needs of what was learned, for those who learn: far less than the pipeline itself. */
const LEARNED =
  /[\\/]project[\\/]learned-memory\.ts$|[\\/]autonomous-memory[\\/]src[\\/](?:prompts[\\/]|errors\.ts$)|[\\/]autonomous-memory[\\/]src[\\/](?:node[\\/]generations|generation|text)[\\/](?:current-generation|cut-at-section|markdown-lines|plain-directories|read-artifact|read-guidance|render-guidance|skill-header)\.ts$/;

/** What it takes to speak with a model: tools, skills, permissions, the loop, sessions. */
const AGENT_FOLDER =
  /[\\/](?:packages[\\/](?:agent-core|providers|sessions|skills|tools-builtin)|caliban[\\/]src[\\/](?:conversation|commands[\\/]chat[\\/]headless))[\\/]|[\\/]chat[\\/]chat\.ts$|[\\/]node_modules[\\/]@ai-sdk[\\/]provider[\\/]/;

/** The screen, with the library behind it. */
const SCREEN_FOLDER =
  /[\\/](?:packages[\\/]tui|caliban[\\/]src[\\/]commands[\\/]chat[\\/](?:terminal|slash)|node_modules[\\/](?:@earendil-works[\\/]pi-tui|marked|get-east-asian-width))[\\/]/;

/** What only one provider or one kind of connection needs; each is loaded when it is used, with the library behind it. */
const OF_ONE_PROVIDER =
  /[\\/]providers[\\/]src[\\/](?:offline[\\/]|(?:.*[\\/])?(?:anthropic|openai|google|openai-compatible|https?-transport|body-decoder|call-defaults)\.ts$)/;

/** The very first file, and what it must not wait for. */
const FIRST = ["bin", "help-text", "startup"];

// Everything is in the bundle, and the usual commands need few files of it: resolving and reading dozens
// would be most of the time until the first answer.
export default defineConfig({
  ...library,
  // The thread of the pipeline begins with a file of its own.
  entry: { bin: "src/bin.ts", "pipeline-worker": "src/pipeline/worker.ts" },
  dts: false,
  sourcemap: false,
  // Names stay, so that a stack still says where; the rest is only read by Node, which reads less the faster.
  minify: { compress: true, mangle: false, codegen: true },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: "start", test: isOursAnd((name) => BEFORE_CACHE.includes(name)) },
        // A library that several rare files share would else be put where they all find it: into the core.
        { name: "yaml", test: /[\\/]node_modules[\\/]yaml[\\/]/ },
        { name: "zod", test: /[\\/]node_modules[\\/]zod[\\/]/ },
        {
          name: "mcp-sdk",
          test: /[\\/]node_modules[\\/](?:@modelcontextprotocol[\\/]sdk|ajv|ajv-formats)[\\/](?!.*streamableHttp)/i,
        },
        {
          name: "core",
          test: isOursAnd(
            (name, id) =>
              ![...BEFORE_CACHE, ...RARE, ...FIRST].includes(name) &&
              !AGENT_FOLDER.test(id) &&
              !SCREEN_FOLDER.test(id),
          ),
        },
        // After the core, which keeps what both of them need.
        {
          name: "agent",
          test: (id) => AGENT_FOLDER.test(id) && (!isOurs(id) || isOursAnd(notRare)(id)),
        },
        // As the screen below: what it needs of the core is there already.
        { name: "learned", test: LEARNED, includeDependenciesRecursively: false },
        // After both, for the same reason.
        {
          name: "provider-utils",
          test: /[\\/]node_modules[\\/](?:@ai-sdk[\\/]provider-utils|eventsource-parser)[\\/]/,
        },
        // Without what it needs of others: a rare file that both use would else bring the whole screen along.
        { name: "screen", test: SCREEN_FOLDER, includeDependenciesRecursively: false },
      ],
    },
  },
  plugins: [cheapBuiltins(), leanHeaders(), thirdPartyLicenses(), noFacades()],
});

function isOursAnd(isMeant: (name: string, id: string) => boolean): (id: string) => boolean {
  return (id) => {
    const name = ourName(id);
    if (name === undefined || OF_ONE_PROVIDER.test(id)) return false;
    if (RARE_FOLDER.test(id) && !NOT_RARE.includes(name)) return false;
    return isMeant(name, id);
  };
}

function notRare(name: string): boolean {
  return !RARE.includes(name);
}

function isOurs(id: string): boolean {
  return ourName(id) !== undefined;
}

/** The name of a file of ours without its ending. */
function ourName(id: string): string | undefined {
  return /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*?([^\\/]+)\.ts$/.exec(id)?.[1];
}
