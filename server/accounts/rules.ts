/** Where a reset link leads: the portal's own page, at the address it is configured to have. */
export const resetUrl = ({ publicUrl }: { publicUrl: string }, token: string) => `${publicUrl}/reset-password?token=${token}`
