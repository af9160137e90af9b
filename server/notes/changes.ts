export const noteChanges = {}
