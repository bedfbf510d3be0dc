import { defineConfig } from "tsdown/config";
import { library } from "../../tsdown.config.ts";

export default defineConfig({ ...library, entry: { index: "src/node/index.ts" } });
