import {
  createMemoryJson,
  type MemoryJson,
  type MemoryJsonInput,
} from "../../../exchange/memory-json.ts";
import { sha256Hex } from "../../sha256-hex.ts";

/** The whole memory with its provenance, for other programs. `findImportSource` reads it back from a `.json` file. */
export function toMemoryJson(input: MemoryJsonInput): MemoryJson {
  return createMemoryJson(input, sha256Hex);
}
