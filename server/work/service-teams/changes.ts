import { Type } from 'typebox'
import { administrators } from '../../platform/auth/held.ts'
import { type Event, kind } from '../../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const seenByAll = { targetType: 'service_team', emits: () => [catalogueChanged] } as const

export const serviceTeamChanges = {
  'service_team.created': kind({ facts: Names, audits: () => ({ action: 'service_team.create' }), ...seenByAll }),
  'service_team.updated': kind({ facts: Edit, audits: () => ({ action: 'service_team.update' }), ...seenByAll }),
  'service_team.deleted': kind({ facts: Names, audits: () => ({ action: 'service_team.delete' }), ...seenByAll }),
  /** The last group was deleted, or orders wait that nobody receives. The leads are notified, or administrators if there are none. */
  'service_team.unstaffed': kind({
    facts: Type.Object({ ...Names.properties, leadUserIds: Type.Array(Type.Integer()) }),
    audits: 'nothing',
    notifies: (_tx, { facts: { nameAr, nameEn, leadUserIds } }) => [
      {
        recipients: leadUserIds.length ? leadUserIds : administrators,
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
