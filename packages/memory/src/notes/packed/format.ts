// The file of notes: a magic number and the length of the head, the head, then what is large.

/** Changes with the layout, with `packRecord`, and with how texts are split into terms. */
export const VERSION = 0x4e_00_03;
/** A machine with another byte order reads another number. */
export const MAGIC = 0x43_41_4c_4e;
/** The magic number, and the length of the head. */
export const START_BYTES = 8;
