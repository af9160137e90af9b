/** The slug of an English name, at most `most` characters long; '' if the name has no Latin letters and digits. */
export const slugOf = (name: string, most: number) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, most)
    .replace(/-$/, '')
