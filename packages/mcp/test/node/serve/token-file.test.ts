import { chmod, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { loadServerToken } from "../../../src/node/serve/token-file.ts";

it("creates one token for all servers that start at once", async () => {
  const home = await temporaryDirectory();
  const environment = { env: { HOME: home }, platform: "linux", home };
  const tokens = await Promise.all([1, 2, 3, 4].map(() => loadServerToken(environment)));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
  const [first] = tokens;
  expect(await readFile(first?.path ?? "", "utf8")).toBe(`${first?.token}\n`);
});

it("refuses a token file that other users may read", async () => {
  const home = await temporaryDirectory();
  const environment = { env: { HOME: home }, platform: "linux", home };
  const { path } = await loadServerToken(environment);
  await chmod(path, 0o644);
  await expect(loadServerToken(environment)).rejects.toMatchObject({
    code: "TOKEN_FILE_REFUSED",
    message: expect.stringContaining("accessible by other users; run `chmod 600") as string,
  });
});

it("refuses to create a token without a home directory", async () => {
  const nowhere = { env: {}, platform: "linux", home: undefined };
  await expect(loadServerToken(nowhere)).rejects.toMatchObject({ code: "NO_STATE_DIRECTORY" });
});
