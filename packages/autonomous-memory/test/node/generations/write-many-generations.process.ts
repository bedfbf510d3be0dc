// Writes many generations, each with the name of its writer.
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { newGeneration, skill } from "./new-generation.ts";

const [directory = "", writer = "", count = ""] = process.argv.slice(2);
const generations = createGenerations({ directory });
const numbers: number[] = [];
for (let index = 0; index < Number(count); index++) {
  const name = `w${writer}-${index}`;
  const memory = { memoryMd: `${name}\n`, memorySummary: `${name}\n`, skills: [skill(name)] };
  const outcome = await generations.write(newGeneration(memory));
  if (outcome.kind === "written") numbers.push(outcome.number);
}
process.stdout.write(JSON.stringify(numbers));
