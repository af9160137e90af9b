export const MOST_ACCOUNTS = 200

/** Every account has an address; this one is nobody's. */
export const emailOf = (username: string) => `${username}@service.invalid`
