import { Button } from '../../../parts/show/button.tsx'
import { capitalised } from '../../../parts/show/capitalised.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { ago } from '../../../platform/ago.ts'
import { exactly } from '../../../platform/dates.ts'
import { formatNumber, type Language, nameOf } from '../../../platform/language.ts'
import { meetingsOf } from '../shared/day.ts'
import type { Archive } from './data.ts'
import { changesSince } from './days.ts'
import { t } from './texts.ts'

const kilobytes = (size: number) => formatNumber(Math.ceil(size / 1000), { style: 'unit', unit: 'kilobyte', unitDisplay: 'long' })

/** A printed sheet in the list: its language, who printed it and when. A press opens it. */
export function Row({ archive, isOpen, choose }: { archive: Archive; isOpen: boolean; choose: () => void }) {
  const { language, createdAt, creator, meetingCount, size, status, stale } = archive
  return (
    <button type="button" class="prints-row" aria-pressed={isOpen} onClick={choose}>
      <Icon name="file-text" />
      <span class="prints-what">
        <strong>{t.languages[language as Language]}</strong>
        <span class="quiet small prints-facts">
          <span title={exactly(createdAt)}>{capitalised(ago(createdAt))}</span>
          {creator && <bdi>{nameOf(creator)}</bdi>}
          <span>{t.meetings(meetingCount)}</span>
          {size !== null && <span>{kilobytes(size)}</span>}
        </span>
      </span>
      {status === 'pending' ? (
        <span class="chip">{t.isMaking}</span>
      ) : (
        stale && (
          <span class="chip" data-kind="warn">
            {t.isOld}
          </span>
        )
      )}
    </button>
  )
}

/** Says how the day has changed since it was printed, with a button that prints it again. */
export function Stale({ archive, again }: { archive: Archive; again: (() => void) | undefined }) {
  const meetings = meetingsOf(archive.date).data ?? []
  return (
    <div class="prints-stale">
      <p>
        <Icon name="triangle-alert" size={18} />
        {t.changed(changesSince(archive, meetings))}
      </p>
      {again && (
        <Button icon="printer" onClick={again}>
          {t.again}
        </Button>
      )}
    </div>
  )
}
