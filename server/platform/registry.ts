/**
 * What the lists of the portal are made of, for types alone: each list below `server/` adds itself here with `declare module`, so
 * that the platform knows every entry's type and imports none. The lists themselves are handed in at the top.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled from outside
export interface Registry {}
