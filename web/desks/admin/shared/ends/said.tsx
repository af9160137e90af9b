import { endsToGive, type Staged } from '../../../../parts/lists/set-editor/staged.ts'
import { Sentences } from '../../../../parts/overlay/consequences/consequences.tsx'
import type { Sentence } from '../../../../parts/overlay/consequences/sentences.ts'
import { today } from '../../../../platform/ago.ts'
import { longDay } from '../../../../platform/dates.ts'
import { isolated, listed } from '../../../../platform/language.ts'
import { t } from './texts.ts'

/** The most people that a sentence names. More people are counted instead. */
const NAMED = 3

interface EndsSaidProps<Item> {
  of: Staged<Item>
  name: (item: Item) => string
  /** Whether the items are people, whose memberships end; otherwise the items themselves end. */
  isPeople?: boolean
}

/** The ends that a save will give, in sentences. */
export function EndsSaid<Item>({ of, name, isPeople = false }: EndsSaidProps<Item>) {
  const days = Map.groupBy(endsToGive(of), ({ to }) => to && today(new Date(to)))
  const sentences = [...days].flatMap(([day, moves]): Sentence[] => {
    const names = moves.map(({ item }) => isolated(name(item)))
    const who = names.length > NAMED && isPeople ? t.people(names.length) : listed(names)
    const [ends, endless] = isPeople ? [t.ends, t.endless] : [t.endsItself, t.endlessItself]
    return [{ kind: 'time', text: day ? ends(who, longDay(day, 'UTC')) : endless(who) }]
  })
  return sentences.length > 0 ? <Sentences of={sentences} /> : null
}
