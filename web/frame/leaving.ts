/** The code of signing out, loaded when it is needed. */
export const leaving = () => import('../platform/leaving.ts')

/** Signs out and opens the sign-in page. */
export const leave = async () => (await leaving()).signOut()
