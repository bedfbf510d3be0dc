import { defineConfig } from "tsdown/config";
import { library } from "../../tsdown.config.ts";

export default defineConfig({
  ...library,
  entry: {
    index: "src/index.ts",
    "node/index": "src/node/index.ts",
    "ai-sdk/index": "src/ai-sdk/index.ts",
    "anthropic/index": "src/anthropic/index.ts",
    "json-schema/index": "src/json-schema/index.ts",
    "langgraph/index": "src/langgraph/index.ts",
    "mastra/index": "src/mastra/index.ts",
    "mcp/index": "src/mcp/index.ts",
    "store-api/index": "src/store-api/index.ts",
  },
});
