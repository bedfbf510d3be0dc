// breaks: caliban(descriptive-file-names)
export const one = 1;
