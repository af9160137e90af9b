import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { Section } from '../../parts/show/section.tsx'
import { renewCodes } from './data.ts'
import type { ShowsCodes } from './lazy-codes.ts'
import { t } from './texts.ts'

/** If no more codes than this are left, the page asks the person to make new ones. */
const FEW = 3

/** Shows how many recovery codes are left, with a button that makes a new set. */
export function Recovery({ left, hasFactor, show }: ShowsCodes & { left: number; hasFactor: boolean }) {
  return (
    <Section name="codes" title={t.codes} hint={t.codesPurpose}>
      {hasFactor ? (
        <>
          <p class={left <= FEW ? 'security-few' : undefined}>{left <= FEW ? t.fewCodes(left) : t.codesLeft(left)}</p>
          <ConfirmedButton act={t.renewCodes} hint={t.renewCodesHint} keep={t.cancel} isPlain run={async () => show(await renewCodes())} />
        </>
      ) : (
        <p class="quiet">{t.codesLater}</p>
      )}
    </Section>
  )
}
