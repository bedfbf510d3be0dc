// breaks: unicorn(filename-case)
export const one = 1;
