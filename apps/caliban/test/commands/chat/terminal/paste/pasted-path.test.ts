import { expect, it } from "vitest";
import { pastedImagePath } from "../../../../../src/commands/chat/terminal/paste/pasted-path.ts";

it.each([
  ["/home/me/shot.png", "linux", "/home/me/shot.png"],
  ["  /home/me/shot.png \n", "linux", "/home/me/shot.png"],
  ["'/home/me/a b.jpeg'", "linux", "/home/me/a b.jpeg"],
  [String.raw`/home/me/a\ \(1\).PNG`, "darwin", "/home/me/a (1).PNG"],
  ["file:///home/me/a%20b.webp", "linux", "/home/me/a b.webp"],
  ["~/a.gif", "linux", "~/a.gif"],
  [String.raw`"C:\Users\me\a b.png"`, "win32", String.raw`C:\Users\me\a b.png`],
  ["shot.png", "linux", undefined],
  ["/home/me/notes.md", "linux", undefined],
  ["/see the file a.png", "linux", undefined],
  ["/a.png\n/b.png", "linux", undefined],
  ["file://server/a.png", "linux", undefined],
  ["file:///%FF.png", "linux", undefined],
])("reads %j on %s as the path %j", (text, platform, expected) => {
  expect(pastedImagePath(text, platform)).toBe(expected);
});
