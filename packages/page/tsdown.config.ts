import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig } from "tsdown/config";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { SOURCE_CONDITIONS } from "../../tsdown.config.ts";

const HERE = import.meta.dirname;

// The client is one script and one style sheet. The build of the program puts their text into the server.
export default defineConfig({
  entry: { client: join(HERE, "client/main.ts") },
  format: "esm",
  platform: "browser",
  target: "es2024",
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  hash: false,
  minify: true,
  inputOptions: {
    resolve: {
      conditionNames: SOURCE_CONDITIONS.map((name) => (name === "node" ? "browser" : name)),
    },
  },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  plugins: [thirdPartyLicenses()],
  outputOptions: { entryFileNames: "client.js" },
  hooks: {
    "build:done": async () => {
      await copyFile(join(HERE, "client/style.css"), join(HERE, "dist/client.css"));
    },
  },
});
