/** The part that nobody needs before they leave. */
export const leaving = () => import('../platform/leaving.ts')

/** Signs out, and shows the way back in. */
export const leave = async () => (await leaving()).signOut()
