import './style.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { useWayBack } from '../../../frame/way-back.ts'
import { useSaving } from '../../../parts/forms/saving.ts'
import { oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Segments } from '../../../parts/show/segments.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { draft } from '../../../platform/drafts.ts'
import { standing } from '../shared/standing.ts'
import { Choices } from './choices.tsx'
import { isSame } from './choosing.ts'
import { type Family, type Fields, families, inForce, type Scope, save, storedFor } from './data.ts'
import { Preview } from './preview.tsx'
import { t } from './texts.ts'

/** A saved font can be undone for this long. */
const UNDO_MS = 10_000
const UNTYPED: Fields | null = null

/** The font settings of printed schedules, with a preview. */
export default function FontsPage() {
  useTitle(t.title)
  useWayBack('/meetings/archives', t.printed)
  const { values, set } = useFilters({ scope: oneOf('global', 'user') })
  const mayForAll = standing.data?.canMutate ?? false
  const scope: Scope = mayForAll ? (values.scope ?? 'global') : 'user'
  return (
    <div class="fonts">
      <div class="section-head">
        <h1>{t.title}</h1>
        {mayForAll && (
          <Segments
            label={t.scope}
            of={(['global', 'user'] as const).map((one) => [one, t.scopes[one]] as const)}
            value={scope}
            choose={(one) => set({ scope: one })}
          />
        )}
      </div>
      <Loaded of={families}>
        {(all) => <Loaded of={inForce}>{(now) => <Settings key={scope} scope={scope} all={all} now={now} />}</Loaded>}
      </Loaded>
    </div>
  )
}

interface SettingsProps {
  scope: Scope
  all: readonly Family[]
  now: NonNullable<typeof inForce.data>
}

/** Puts back the settings that `saved` replaced, unless somebody has saved others since. */
async function restore(scope: Scope, saved: Fields | null, former: Fields | null) {
  await inForce.refresh()
  const now = inForce.peek()
  if (now && isSame(storedFor(scope, now), saved)) await save(scope, former)
  else say({ text: t.notUndone, kind: 'error', about: 'fonts' })
}

function Settings({ scope, all, now }: SettingsProps) {
  const kept = useMemo(() => draft<Fields | null>(`fonts:${scope}`, UNTYPED), [scope])
  const stored = storedFor(scope, now)
  const base = stored ?? now.office
  const chosen = kept.value.value ?? base
  const isChanged = !isSame(chosen, base)
  const isWrong = useSignal(false)
  const saving = useSaving(async (fields: Fields | null) => {
    await save(scope, fields)
    await kept.drop(fields ?? undefined)
    const undo = () => void attempt(restore(scope, fields, stored))
    say({ text: fields ? t.saved[scope] : t.givenUp[scope], about: 'fonts', undo, undoUntil: Date.now() + UNDO_MS })
  })
  return (
    <div class="fonts-beside">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged && !isWrong.value) saving.run(chosen)
        }}
      >
        <Choices
          all={all}
          chosen={chosen}
          choose={(fields) => {
            kept.value.value = isSame(fields, base) && !saving.isBusy ? null : fields
          }}
          isWrong={isWrong}
        />
        <div class="fonts-acts">
          {isChanged ? (
            <>
              <Button type="submit" kind="main" isBusy={saving.isBusy}>
                {t.save[scope]}
              </Button>
              <Button kind="plain" onClick={() => kept.drop()}>
                {t.dismiss}
              </Button>
            </>
          ) : (
            <>
              <p>{t.isInForce[scope]}</p>
              {stored && (
                <Button kind="plain" isBusy={saving.isBusy} onClick={() => saving.run(null)}>
                  {t.giveUp[scope]}
                </Button>
              )}
            </>
          )}
        </div>
        <p class="quiet small">
          {scope === 'user' ? t.reach.user : t.reach.global(now.ownCount)} {scope === 'global' && now.own && `${t.youToo} `}
          {t.printedStays}
        </p>
        <p class="error" role="alert">
          {saving.problem}
        </p>
      </form>
      <Preview settings={chosen} />
    </div>
  )
}
