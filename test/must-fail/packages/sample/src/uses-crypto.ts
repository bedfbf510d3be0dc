// breaks: eslint(no-restricted-globals)
export const id: string = crypto.randomUUID();
