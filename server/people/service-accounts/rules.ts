export const MOST_ACCOUNTS = 200

/** Every account needs an e-mail address. Nobody can receive mail at this one. */
export const emailOf = (username: string) => `${username}@service.invalid`
