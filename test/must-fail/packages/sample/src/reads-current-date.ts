// breaks: caliban(no-current-date)
export const today: Date = new Date();
