// breaks: caliban(telling-file-names)
export const one = 1;
