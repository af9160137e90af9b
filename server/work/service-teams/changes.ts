import { sql } from 'kysely'
import { Type } from 'typebox'
import { administrators } from '../../platform/auth/held.ts'
import { type Event, kind, type Recipients } from '../../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const seenByAll = { targetType: 'service_team', emits: () => [catalogueChanged] } as const

function recipientsOf(leadUserIds: number[], isEmptied: boolean): Recipients {
  if (leadUserIds.length === 0) return administrators
  return isEmptied ? sql`array(select unnest(${administrators}) union select unnest(${leadUserIds}::int[]))` : leadUserIds
}

export const serviceTeamChanges = {
  'service_team.created': kind({ facts: Names, audits: () => ({ action: 'service_team.create' }), ...seenByAll }),
  'service_team.updated': kind({ facts: Edit, audits: () => ({ action: 'service_team.update' }), ...seenByAll }),
  'service_team.deleted': kind({ facts: Names, audits: () => ({ action: 'service_team.delete' }), ...seenByAll }),
  /**
   * Nobody receives the waiting orders of a team: its leads are notified, or administrators if it has none. Or the last group of the team
   * was deleted: both are notified, because only administrators can give the team another group.
   */
  'service_team.unstaffed': kind({
    facts: Type.Object({
      ...Names.properties,
      leadUserIds: Type.Array(Type.Integer()),
      /** Whether the team’s last group was deleted. */
      isEmptied: Type.Optional(Type.Boolean()),
    }),
    audits: 'nothing',
    notifies: (_tx, { facts: { nameAr, nameEn, leadUserIds, isEmptied = false } }) => [
      {
        recipients: recipientsOf(leadUserIds, isEmptied),
        type: 'order',
        relatedType: null,
        relatedId: null,
        template: 'team_unstaffed',
        params: { ar: { team: nameAr }, en: { team: nameEn } },
      },
    ],
    ...seenByAll,
  }),
}
