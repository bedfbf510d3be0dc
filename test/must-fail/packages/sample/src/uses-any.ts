// breaks: typescript(no-explicit-any)
export const value: any = 1;
