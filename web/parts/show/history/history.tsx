import './history.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
import type { Schemas } from '../../../platform/client.ts'
import { exactly, hijriDay, longDay, timeOfDay } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import { SentenceText } from '../../overlay/consequences/consequences.tsx'
import { say } from '../../overlay/toasts.tsx'
import { Avatar } from '../avatar.tsx'
import { Button } from '../button.tsx'
import { type Preview, Previewed } from './previewed.tsx'
import { t } from './texts.ts'

export interface Entry {
  id: number
  createdAt: string
  /** Null if the portal itself acted. */
  actor: Schemas['AuditLogActor'] | null
  /** The sentence of the entry, with isolated names. */
  sentence: string
  /** The names that a set gained, lost and kept. */
  added?: readonly string[]
  removed?: readonly string[]
  same?: readonly string[]
  /** Whether the entry says that it cannot be reverted. */
  isFinal?: boolean
  /** Whether there is nothing to revert, such as after a creation. */
  isFixed?: boolean
}

interface PutBack {
  preview: (entry: Entry) => Promise<Preview>
  run: (entry: Entry) => Promise<unknown>
}

interface HistoryProps {
  /** The entries, newest first. */
  entries: readonly Entry[]
  putBack?: PutBack
  /** Shown at the end, such as a button that loads more. */
  children?: ComponentChildren
}

/** The most chips for the names that a set gained, lost or kept. */
const CHIPS = 6

function Some({ names, as: Drawn, kind }: { names: readonly string[]; as: 'del' | 'ins' | 'span'; kind?: string }) {
  const rest = names.length - CHIPS
  return (
    <>
      {names.slice(0, CHIPS).map((name) => (
        <Drawn key={name} class="chip" data-kind={kind}>
          <bdi>{name}</bdi>
        </Drawn>
      ))}
      {rest > 0 && (
        <Drawn class="chip" data-kind={kind}>
          {t.moreChips(formatNumber(rest))}
        </Drawn>
      )}
    </>
  )
}

const Chips = ({ added = [], removed = [], same = [] }: Entry) => (
  <p class="history-set">
    <Some names={removed} as="del" kind="danger" />
    <Some names={added} as="ins" kind="on" />
    <Some names={same} as="span" />
  </p>
)

function Event({ entry, putBack }: { entry: Entry; putBack?: PutBack | undefined }) {
  const isOpen = useSignal(false)
  const line = useRef<HTMLLIElement>(null)
  const { actor, createdAt, sentence, isFinal, isFixed, added, removed, same } = entry
  return (
    <li ref={line} class="history-entry" data-open={isOpen.value || undefined}>
      {actor ? <Avatar person={actor} /> : <span class="face" aria-hidden="true" />}
      <div class="history-what">
        <p>
          <SentenceText text={sentence} />
        </p>
        {(added ?? removed ?? same) && <Chips {...entry} />}
        {isFinal && <p class="quiet small">{t.cannot}</p>}
        {isOpen.value && putBack && (
          <Previewed
            title={t.putBackTitle}
            verb={t.putBack}
            icon="undo-2"
            ask={() => putBack.preview(entry)}
            run={() => putBack.run(entry).then(() => say({ text: t.done }))}
            close={() => {
              isOpen.value = false
              requestAnimationFrame(() => line.current?.querySelector<HTMLElement>(':scope > .button')?.focus())
            }}
          />
        )}
      </div>
      <time class="quiet small numbers" dateTime={createdAt} title={exactly(createdAt)}>
        {timeOfDay(createdAt)}
      </time>
      {putBack && !isFinal && !isFixed && !isOpen.value && (
        <Button
          kind="plain"
          icon="undo-2"
          onClick={() => {
            isOpen.value = true
          }}
        >
          {t.putBack}
        </Button>
      )}
    </li>
  )
}

const dayAt = (moment: string) => today(new Date(moment))

/** The changes of a record in sentences, grouped by day. Each change can be reverted separately. */
export function History({ entries, putBack, children }: HistoryProps) {
  if (entries.length === 0) return <p class="quiet">{t.empty}</p>
  const days = Map.groupBy(entries, ({ createdAt }) => dayAt(createdAt))
  return (
    <div class="history">
      {[...days].map(([day, all]) => (
        <section key={day}>
          <h2>
            {day === today() && t.today + t.comma}
            {longDay(all[0]!.createdAt)} <span class="quiet">{hijriDay(all[0]!.createdAt)}</span>
          </h2>
          <ol>
            {all.map((entry) => (
              <Event key={entry.id} entry={entry} putBack={putBack} />
            ))}
          </ol>
        </section>
      ))}
      {children}
    </div>
  )
}
