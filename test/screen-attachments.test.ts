import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KEY } from "./support/pty.ts";
import { startScreen, withModel } from "./support/scripted-screen.ts";

/** A PNG of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Starts the program with a model that accepts images. */
async function startWithImages() {
  const { server, ...directories } = await withModel([{ text: "A single pixel." }]);
  const settings = join(directories.home, ".config/caliban/settings.toml");
  await writeFile(
    settings,
    `[models]\ndefault = "local/scripted"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\nimages = true\n`,
  );
  const pty = await startScreen(directories);
  return { server, ...directories, pty };
}

it("attaches an image that the user drops into the prompt, from inside and outside the workspace", async () => {
  const { server, home, cwd, pty } = await startWithImages();
  await writeFile(join(home, "outside the project.png"), PNG);
  await writeFile(join(cwd, "inside.png"), PNG);
  pty.type("compare ");
  // Terminals paste the path of a dropped file, with a backslash before each space.
  pty.paste(`${home}/outside\\ the\\ project.png`);
  await pty.waitFor("compare [image 1]");
  pty.type(" with ");
  pty.paste(join(cwd, "inside.png"));
  await pty.waitFor(/with @inside\.png/);
  pty.type(KEY.enter);
  const shown = await pty.waitFor("A single pixel.");
  expect(shown).toContain("attached [image 1], 1 × 1");
  expect(shown).toContain("attached [image inside.png], 1 × 1");
  expect(server.requests[0]?.text.split(PNG.toString("base64"))).toHaveLength(3);
});

it("returns a message with a damaged image to the prompt, and sends it once the image is repaired", async () => {
  const { server, cwd, pty } = await startWithImages();
  await writeFile(join(cwd, "broken.png"), PNG.subarray(0, 40));
  await pty.sendLine("look at @broken.png please");
  const shown = await pty.waitFor("! Not sent:");
  expect(shown).toContain("broken.png is a damaged PNG image. Fix the file, or leave it out.");
  await pty.waitFor(/─\nlook at @broken\.png please *\n─/);
  expect(server.requests).toEqual([]);
  await writeFile(join(cwd, "broken.png"), PNG);
  pty.type(KEY.enter);
  await pty.waitFor("A single pixel.");
  expect(server.requests[0]?.text).toContain(PNG.toString("base64"));
});
