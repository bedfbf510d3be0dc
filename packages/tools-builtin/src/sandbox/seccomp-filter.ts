/** The numbers of the system calls that the filter knows, by architecture. */
interface SystemCalls {
  /** How the kernel calls the architecture. */
  readonly audit: number;
  readonly socket: number;
  /** Calls that are refused whatever their arguments are. */
  readonly refused: readonly number[];
}

const ARCHITECTURES: Readonly<Record<string, SystemCalls>> = {
  // add_key, request_key, keyctl: keys that no namespace hides. io_uring_setup: opens sockets without a system call.
  x64: { audit: 0xc000_003e, socket: 41, refused: [248, 249, 250, 425] },
  arm64: { audit: 0xc000_00b7, socket: 198, refused: [217, 218, 219, 425] },
};

/** Unix, IPv4, IPv6 and netlink. A network namespace does not cover others, such as sockets to the host of a machine. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

/** Where a program runs as 32-bit, or with another calling convention, its numbers mean something else. */
const OTHER_CONVENTION = 0x4000_0000;

const ALLOW = 0x7fff_0000;
const FUNCTION_NOT_IMPLEMENTED = 0x0005_0000 + 38;
const ADDRESS_FAMILY_NOT_SUPPORTED = 0x0005_0000 + 97;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

/** Offsets in what the kernel passes to a filter. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

type Label = "allow" | "refuse";

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** Where to go on if the comparison holds, and if not; the next instruction by default. */
  readonly ifTrue?: Label;
  readonly ifFalse?: Label;
  readonly label?: Label;
}

/**
 * The bytes of a seccomp filter that refuses what namespaces do not cover. `undefined` for an architecture whose numbers
 * are not known.
 */
export function seccompFilter(architecture: string): Uint8Array<ArrayBuffer> | undefined {
  const calls = ARCHITECTURES[architecture];
  return calls === undefined ? undefined : assemble(instructions(calls));
}

function instructions({ audit, socket, refused }: SystemCalls): readonly Instruction[] {
  return [
    { code: LOAD, value: ARCHITECTURE },
    { code: JUMP_IF_EQUAL, value: audit, ifFalse: "refuse" },
    { code: LOAD, value: CALL_NUMBER },
    { code: JUMP_IF_AT_LEAST, value: OTHER_CONVENTION, ifTrue: "refuse" },
    ...refused.map((value) => ({ code: JUMP_IF_EQUAL, value, ifTrue: "refuse" }) as const),
    { code: JUMP_IF_EQUAL, value: socket, ifFalse: "allow" },
    { code: LOAD, value: FIRST_ARGUMENT },
    ...SOCKET_FAMILIES.map((value) => ({ code: JUMP_IF_EQUAL, value, ifTrue: "allow" }) as const),
    { code: RETURN, value: ADDRESS_FAMILY_NOT_SUPPORTED },
    { code: RETURN, value: ALLOW, label: "allow" },
    { code: RETURN, value: FUNCTION_NOT_IMPLEMENTED, label: "refuse" },
  ];
}

const INSTRUCTION_BYTES = 8;

/** Jumps are relative to the next instruction. */
function assemble(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, value, ifTrue, ifFalse }] of program.entries()) {
    const distance = (label: Label | undefined): number =>
      label === undefined ? 0 : program.findIndex((each) => each.label === label) - index - 1;
    const at = index * INSTRUCTION_BYTES;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, distance(ifTrue));
    view.setUint8(at + 3, distance(ifFalse));
    view.setUint32(at + 4, value, true);
  }
  return bytes;
}
