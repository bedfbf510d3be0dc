// The least a Node program can do to ask a model: one fetch, and reading the whole answer.
import { readFileSync } from "node:fs";

const [url = "", file = ""] = process.argv.slice(2);
const response = await fetch(`${url}/v1/messages`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": "none" },
  body: readFileSync(file),
});
process.stdout.write(await response.text());
