// Sends the same request with `ai` and the provider only.
import { readFileSync } from "node:fs";
import { createAnthropic } from "@ai-sdk/anthropic";
import { dynamicTool, jsonSchema, streamText } from "ai";
import type { CapturedRequest } from "./captured-request.ts";

const [url = "", file = ""] = process.argv.slice(2);
const { model, system, prompt, tools } = JSON.parse(readFileSync(file, "utf8")) as CapturedRequest;
const { textStream } = streamText({
  model: createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })(model),
  system,
  prompt,
  tools: Object.fromEntries(
    tools.map(({ name, description, input_schema: schema }) => [
      name,
      dynamicTool({ description, inputSchema: jsonSchema(schema), execute: () => "" }),
    ]),
  ),
});
for await (const text of textStream) process.stdout.write(text);
