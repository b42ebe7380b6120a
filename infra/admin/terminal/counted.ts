/** `1,200` */
export const number = (value: number) => Math.round(value).toLocaleString('en');

/** `1 token`, `1,200 tokens` */
export const counted = (count: number, thing: string) => `${number(count)} ${thing}${count === 1 ? '' : 's'}`;
