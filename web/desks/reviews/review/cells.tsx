import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Key } from '../../../parts/show/lines.tsx'
import { isolated, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { isAdmin, me } from '../../../platform/session.ts'
import { type Item, isOwn, type Review, type Verdict } from '../data.ts'
import { asJudged } from '../shared/judging.ts'
import { t } from '../texts.ts'
import { grantOf, pageOf, personOf, signInOf, sinceOf, useOf } from './words.ts'

export interface Acts {
  decide: (item: Item, verdict: Verdict | null) => void
  write: (item: Item) => void
}

function Person({ item }: { item: Item }) {
  const name = <bdi>{personOf(item)}</bdi>
  return (
    <span class="reviews-person">
      <Avatar person={item.person} size={36} />
      <span class="person">
        {isAdmin.value ? <a href={at(pageOf(item))}>{name}</a> : name}
        <Key>{`@${item.person.username}`}</Key>
      </span>
    </span>
  )
}

const Grant = ({ item }: { item: Item }) => (
  <span class="reviews-grant">
    <span class="reviews-what">
      <span class="quiet small">{t[item.kind]}</span> <bdi class="grid-line">{grantOf(item)}</bdi>
      <EndChip at={item.expiresAt} />
    </span>
    <span class="quiet small grid-line">
      <bdi>{sinceOf(item)}</bdi>
    </span>
  </span>
)

const Use = ({ item }: { item: Item }) => (
  <span class="reviews-grant">
    <span class="grid-line" data-suggestion={item.suggestion ?? undefined}>
      {useOf(item)}
    </span>
    <span class="quiet small grid-line">{signInOf(item)}</span>
  </span>
)

const verdicts = [
  ['keep', 'check'],
  ['remove', 'x'],
] as const

/** The decision about an item, as buttons while it can be changed. */
function Decision({ item: known, review, acts }: { item: Item; review: Review; acts: Acts }) {
  const item = asJudged(known)
  const { verdict, reviewer, note, suggestion, outcome, skipReason } = item
  const [what, person] = [isolated(grantOf(item)), isolated(personOf(item))]
  if (review.status !== 'open')
    return (
      <span class="reviews-outcome">
        {outcome ? (
          <span class="chip" data-kind={{ kept: 'on', removed: 'danger', skipped: 'warn' }[outcome]}>
            {t.outcomes[outcome]}
          </span>
        ) : (
          verdict && <span class="chip">{t.verdicts[verdict]}</span>
        )}
        {skipReason && <span class="small">{t.skipReasons[skipReason]}</span>}
        {reviewer && <span class="quiet small">{t.by(isolated(nameOf(reviewer)))}</span>}
        {note && <span class="quiet small grid-line">{note}</span>}
      </span>
    )
  if (isOwn(item)) return <span class="quiet small">{t.own}</span>
  const isOthers = verdict && reviewer && reviewer.id !== me.value?.id && known.verdict === verdict
  return (
    <span class="reviews-decision">
      {verdicts.map(([one, icon]) => (
        <button
          key={one}
          type="button"
          class="reviews-verdict"
          data-kind={one}
          data-suggested={(!verdict && suggestion === one) || undefined}
          aria-pressed={verdict === one}
          aria-label={`${(one === 'keep' ? t.keepFor : t.removeFrom)(what, person)}${!verdict && suggestion === one ? `. ${t.suggestion[one]}` : ''}`}
          onClick={() => acts.decide(known, verdict === one ? null : one)}
        >
          <Icon name={icon} size={18} />
          <span>{t[one]}</span>
        </button>
      ))}
      <Button
        kind="plain"
        icon="sticky-note"
        aria-label={note ? `${t.note(person)}. ${t.noteOf(note)}` : t.note(person)}
        data-noted={note ? '' : undefined}
        onClick={() => acts.write(known)}
      />
      {isOthers && <span class="quiet small reviews-by">{t.by(isolated(nameOf(reviewer)))}</span>}
    </span>
  )
}

/** The columns of the table; on a narrow page everything is in one. */
export const columnsOf = (review: Review, acts: Acts, isNarrow: boolean): TableColumn<Item>[] =>
  isNarrow
    ? [
        {
          key: 'all',
          head: t.itemHeads.person,
          width: 'minmax(0, 1fr)',
          cell: (item) => (
            <span class="reviews-card">
              <Person item={item} />
              <Grant item={item} />
              <Use item={item} />
              <Decision item={item} review={review} acts={acts} />
            </span>
          ),
        },
      ]
    : [
        { key: 'person', head: t.itemHeads.person, width: 'minmax(9rem, 1.2fr)', cell: (item) => <Person item={item} /> },
        { key: 'grant', head: t.itemHeads.grant, width: 'minmax(10rem, 1.5fr)', cell: (item) => <Grant item={item} /> },
        { key: 'use', head: t.itemHeads.use, from: 54, width: 'minmax(9rem, 1fr)', cell: (item) => <Use item={item} /> },
        {
          key: 'verdict',
          head: t.itemHeads.verdict,
          width: '17.5rem',
          cell: (item) => <Decision item={item} review={review} acts={acts} />,
        },
      ]
