// breaks: eslint(no-restricted-globals)
export const started: number = performance.now();
