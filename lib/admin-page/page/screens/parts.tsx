export const Parts = () => null;
