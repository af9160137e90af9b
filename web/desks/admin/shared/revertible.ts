const pattern =
  /^(app|group(?!\.request)|meeting|meeting_task|permission|role|service(?!\.(notice|form))|service_team|working_calendar|service_category|settings|user(?!\.manager))\.(.+\.)?(update|add|remove|replace)$/

/** Whether the portal can revert an action: it reverts changes of fields and sets, not creations, deletions or decisions. */
export const isRevertible = (action: string) => pattern.test(action)
