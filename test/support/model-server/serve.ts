// `node test/support/model-server/serve.ts --port 0 --script answers.json [--repeat]`: prints its URL and serves until it is killed.
// The script is a list of answers, see answer.ts. --log prints each request as a line of JSON.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Answer } from "./answer.ts";
import { startModelServer } from "./model-server.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    script: { type: "string" },
    repeat: { type: "boolean", default: false },
    log: { type: "boolean", default: false },
  },
});

const answers: readonly Answer[] =
  values.script === undefined
    ? [{ text: "Hello." }]
    : (JSON.parse(readFileSync(values.script, "utf8")) as readonly Answer[]);

const isRepeated = values.repeat || values.script === undefined;
const server = await startModelServer({
  port: Number(values.port),
  script: (request, number) => {
    if (values.log) {
      const { path, headers, arrivedAt, text } = request;
      process.stdout.write(`${JSON.stringify({ path, headers, arrivedAt, text })}\n`);
    }
    const index = isRepeated ? (number - 1) % answers.length : number - 1;
    return answers[index] ?? { status: 500, error: `the script has no answer number ${number}` };
  },
});
process.stdout.write(`${server.url}\n`);
