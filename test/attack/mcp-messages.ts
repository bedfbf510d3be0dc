/** Lines that are not messages of the protocol, and the code of the answer. */
export const INVALID_MESSAGES: readonly (readonly [line: string | Uint8Array, code: number])[] = [
  ["no JSON at all", -32_700],
  ['{"jsonrpc":"2.0","id":1,', -32_700],
  [Buffer.from([0x22, 0xff, 0x22]), -32_700],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
  ["7", -32_600],
  ['{"jsonrpc":"2.0","id":[],"method":"tools/call","params":[]}', -32_600],
  ['{"id":{"a":1},"method":"ping","jsonrpc":"2.0"}', -32_600],
];
