export const scheduleChanges = {}
