export const meetingRequestChanges = {}
