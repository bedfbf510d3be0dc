/**
 * What has become of the part of a file that supports a topic: it is there, it is elsewhere in the file or in another
 * file, it is not there any more, or the file is gone.
 */
export type EvidenceState = "ok" | "moved" | "changed" | "gone";
