/**
 * The types of the portal's lists: each list below `server/` adds its own here with `declare module`, so that the platform knows every
 * entry's type and imports none. The lists themselves are passed in when the portal opens.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled from outside
export interface Registry {}
