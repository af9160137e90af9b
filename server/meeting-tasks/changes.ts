export const meetingTaskChanges = {}
