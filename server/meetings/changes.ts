export const meetingChanges = {}
