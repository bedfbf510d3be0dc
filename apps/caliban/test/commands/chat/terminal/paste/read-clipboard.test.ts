import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readClipboardImage } from "../../../../../src/commands/chat/terminal/paste/read-clipboard.ts";
import { temporaryDirectory } from "../../../../../../../test/support/temporary-directory.ts";

/** A directory with a program that runs a shell script. */
async function programs(name: string, script: string): Promise<string> {
  const directory = await temporaryDirectory();
  const file = join(directory, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return directory;
}

describe.skipIf(process.platform === "win32")("the image in the clipboard", () => {
  it.each([
    ["wl-paste", "linux", { WAYLAND_DISPLAY: "wayland-0" }],
    ["xclip", "linux", { DISPLAY: ":0" }],
    ["pngpaste", "darwin", {}],
  ])("reads the image with %s, which gets no keys", async (name, platform, display) => {
    const PATH = await programs(name, 'printf "%s" "$*$SECRET"');
    const env = { PATH, SECRET: "key", ...display };
    const found = await readClipboardImage({ env, platform });
    expect(found).toHaveProperty("bytes");
    expect("bytes" in found ? Buffer.from(found.bytes).toString() : "").not.toContain("key");
  });

  it("decodes the image from what PowerShell prints", async () => {
    const PATH = await programs("powershell.exe", "echo aGVsbG8=");
    const found = await readClipboardImage({ env: { PATH }, platform: "win32" });
    expect("bytes" in found ? Buffer.from(found.bytes).toString() : found).toBe("hello");
  });

  it.each([
    [{ DISPLAY: ":0" }, "exit 1", "The clipboard has no image"],
    [{}, "exit 0", "There is no display, so the clipboard cannot be read. "],
    [{ WAYLAND_DISPLAY: "w" }, "exit 0", "Install wl-clipboard to paste images. "],
  ])(
    "explains why there is no image with the display %j and the program %j",
    async (display, script, expected) => {
      const PATH = await programs("xclip", script);
      const found = await readClipboardImage({ env: { PATH, ...display }, platform: "linux" });
      expect("problem" in found ? found.problem : "").toContain(expected);
    },
  );
});
