import type { Readable } from "node:stream";
import { harmlessLine } from "../../../client/untrusted.ts";

const KEPT_BYTES = 4 * 1024;
const SHOWN_LINES = 3;
const LINE_CHARACTERS = 200;

/** The end of what a server prints for people; so much of it is read in a second, and the rest waits in the pipe. */
export function createLastWords(stream: Readable, bytesASecond: number): () => string {
  let tail = Buffer.alloc(0);
  let readBytes = 0;
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    readBytes += chunk.length;
    if (readBytes < bytesASecond) return;
    stream.pause();
    setTimeout(() => {
      readBytes = 0;
      stream.resume();
    }, 1_000).unref();
  });
  return () =>
    tail
      .toString("utf8")
      .split("\n")
      .map((line) => harmlessLine(line, LINE_CHARACTERS))
      .filter((line) => line !== "")
      .slice(-SHOWN_LINES)
      .join(" / ");
}
