// breaks: eslint(no-restricted-properties)
export const time: number = Date.now();
