import { named } from '../../../platform/language.ts'
import { PersonLine } from '../../show/lines.tsx'
import { ChooseDialog } from '../choose-dialog.tsx'
import { findReceivers, findTeams, type Receiver, type TeamName, titleOf } from './data.ts'
import { t } from './texts.ts'

interface AssignProps {
  service: string
  /** How many orders are assigned. */
  count?: number
  /** The order whose receivers are offered; undefined to offer all receivers. */
  orderId: number | undefined
  close: () => void
  choose: (person: Receiver) => void
}

/** Chooses the receiver to whom orders are assigned. */
export const AssignDialog = ({ service, count = 1, orderId, close, choose }: AssignProps) => (
  <ChooseDialog
    title={titleOf(count, service)}
    hint={t.assignHint}
    label={t.receiver}
    close={close}
    find={(typed) => findReceivers(typed, orderId)}
    choose={choose}
  >
    {(person) => <PersonLine person={person} size={28} />}
  </ChooseDialog>
)

interface HandOverProps {
  service: string
  close: () => void
  choose: (team: TeamName) => void
}

/** Chooses the team to which an order is handed over. */
export const HandOverDialog = ({ service, close, choose }: HandOverProps) => (
  <ChooseDialog title={t.handOverTitle(service)} hint={t.handOverHint} label={t.team} close={close} find={findTeams} choose={choose}>
    {(team) => <bdi>{named(team)}</bdi>}
  </ChooseDialog>
)
