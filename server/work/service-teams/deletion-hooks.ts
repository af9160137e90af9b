import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { findTeamsOfOnly } from './queries.ts'

const stays = 'no reading shows it, it counts as nobody, and it comes back when its deletion is undone'

export const serviceTeamDeletionHooks = [
  deletionHook({ of: 'users', columns: ['service_teams.lead_user_ids'], stays }),
  deletionHook({
    of: 'groups',
    columns: ['service_teams.group_ids'],
    stays,
    async leaves(tx, id) {
      const teams = await findTeamsOfOnly(tx, id)
      return teams.map(
        ({ id: targetId, ...facts }) => ({ kind: 'service_team.unstaffed', targetId, facts: { ...facts, isEmptied: true } }) as const,
      )
    },
  }),
]
