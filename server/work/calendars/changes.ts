import { Type } from 'typebox'
import { type Event, kind } from '../../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const seenByAll = { targetType: 'working_calendar', emits: () => [catalogueChanged] } as const

export const calendarChanges = {
  'working_calendar.created': kind({ facts: Names, audits: () => ({ action: 'working_calendar.create' }), ...seenByAll }),
  'working_calendar.updated': kind({ facts: Edit, audits: () => ({ action: 'working_calendar.update' }), ...seenByAll }),
  'working_calendar.deleted': kind({ facts: Names, audits: () => ({ action: 'working_calendar.delete' }), ...seenByAll }),
  'working_calendar.laid_out': kind({ facts: Type.Object({}), audits: 'nothing', ...seenByAll }),
}
