// breaks: eslint(no-restricted-globals)
export const bytes: number = Buffer.byteLength("x");
