// The memory use of a process that does nothing.
import { peakMegabytes } from "../../pipeline/peak-megabytes.mjs";

console.log(JSON.stringify({ megabytes: peakMegabytes() }));
