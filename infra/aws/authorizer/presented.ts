/** A token in the header `Authorization`, in the syntax that both API Gateway and JavaScript know. */
export const PRESENTED = /^[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/;
