import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "@caliban/common/node";
import { backupPath } from "../files/topic-files.ts";
import type { Replacement } from "./replace-file.ts";

/** A text that another program wrote to a file after that file was replaced. */
export interface LateText {
  /** The name that the file had. */
  readonly path: string;
  readonly text: string;
}

/**
 * Files that this process replaced a moment ago. They have no names any more, but another program may have opened one
 * before, and write its text to it now. As long as we keep them open, we can read that text.
 */
export interface ReplacedFiles {
  /** Keeps a replaced file open; called right before its backup is removed. */
  readonly keep: (replacement: Replacement) => void;
  /** Whether there are texts that were written since then. */
  readonly hasLateTexts: () => boolean;
  /** Returns each text once, when its program seems to have finished. */
  readonly takeLateTexts: () => readonly LateText[];
  readonly isEmpty: () => boolean;
}

interface ReplacedFile {
  readonly path: string;
  readonly before: Buffer;
  readonly descriptor: number;
  readonly stamp: string;
  readonly sinceMs: number;
}

/** A program that takes longer between opening a file and writing to it keeps it open on purpose. */
const KEPT_MS = 10_000;
const MAX_KEPT = 32;

export function createReplacedFiles(saveMs: number): ReplacedFiles {
  let kept: readonly ReplacedFile[] = [];
  const close = (files: readonly ReplacedFile[]): void => {
    for (const { descriptor } of files) closeSync(descriptor);
    kept = kept.filter((file) => !files.includes(file));
  };
  const findLate = (): readonly ReplacedFile[] => {
    const expiredMs = performance.now() - KEPT_MS;
    const isExpired = ({ sinceMs }: ReplacedFile, at: number): boolean =>
      sinceMs < expiredMs || at < kept.length - MAX_KEPT;
    const expired = kept.filter(isExpired);
    const unchanged = expired.filter((file) => readLateText(file).length === 0);
    close(unchanged);
    return kept.filter((file) => expired.includes(file) || isLate(file, saveMs));
  };
  return {
    isEmpty: () => kept.length === 0,
    keep: ({ path, beforeBytes: before }) => {
      const descriptor = before === null ? undefined : openQuietly(backupPath(path));
      if (before === null || descriptor === undefined) return;
      const stamp = stampOf(descriptor);
      kept = [...kept, { path, before, descriptor, stamp, sinceMs: performance.now() }];
    },
    hasLateTexts: () => findLate().length > 0,
    takeLateTexts: () => {
      const late = findLate();
      const texts = late.flatMap(readLateText);
      close(late);
      return texts;
    },
  };
}

/** Whether a file was written to, and its program is not in the middle of that. */
function isLate({ descriptor, stamp }: ReplacedFile, saveMs: number): boolean {
  if (stampOf(descriptor) === stamp) return false;
  const { size, mtimeMs } = fstatSync(descriptor);
  return size > 0 && Math.abs(Date.now() - mtimeMs) >= saveMs;
}

/** A file that is not text cannot be recorded. */
function readLateText({ path, descriptor, before }: ReplacedFile): readonly LateText[] {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  readSync(descriptor, bytes, 0, bytes.length, 0);
  if (bytes.length === 0 || bytes.equals(before) || !isUtf8(bytes)) return [];
  return [{ path, text: bytes.toString("utf8") }];
}

function stampOf(descriptor: number): string {
  const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
  return `${size}@${mtimeNs}`;
}

function openQuietly(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    // Then a late text is not noticed.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
