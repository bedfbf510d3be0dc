import { expect, it } from "vitest";
import { machine } from "../../../fake-host.ts";

it("lists the current index of memory after another process changed it", async () => {
  const { caliban, with: changed } = await machine();
  await caliban("-p", "remember that we deploy with pnpm ship");
  const said = '{"type":"user","text":"list"}';
  const printed: string[] = [];
  const talking = changed({
    inputLines: async function* () {
      yield said;
      await caliban("memory", "mv", "deploy-pnpm-ship", "shipping");
      yield said;
      await caliban("memory", "rm", "shipping", "--force");
      yield said;
    },
    stdout: (text) => void printed.push(text),
  });
  await talking.caliban("-p", "--input-format", "stream-json");
  expect(printed).toEqual([
    "Memory contains:\n\n- deploy-pnpm-ship (project: we deploy with pnpm ship)\n",
    "Memory contains:\n\n- shipping (project: we deploy with pnpm ship)\n",
    expect.stringContaining("There is nothing in memory yet."),
  ]);
});
