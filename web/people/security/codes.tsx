import { useSignal } from '@preact/signals'
import { siteName } from '../../frame/site.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { useStaying } from '../../parts/overlay/staying.ts'
import { Button } from '../../parts/show/button.tsx'
import { copy } from '../../parts/show/copying.ts'
import { me } from '../../platform/session.ts'
import { t } from './texts.ts'

const textOf = (codes: readonly string[]) => `${t.codesOf(siteName.peek(), me.peek()?.username ?? '')}\n\n${codes.join('\n')}\n`

function save(codes: readonly string[]) {
  const href = URL.createObjectURL(new Blob([textOf(codes)], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href, download: `${t.codesFile}.txt` }).click()
  URL.revokeObjectURL(href)
}

/** Recovery codes, which are shown only once, with ways to copy, download and print them. */
export function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>{t.codesHint}</p>
      <div class="security-paper">
        <p class="security-paper-head">{t.codesOf(siteName.value, me.value?.username ?? '')}</p>
        <ol class="security-codes" dir="ltr" aria-label={t.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div class="security-acts">
        <Button icon="download" onClick={() => save(codes)}>
          {t.saveCodes}
        </Button>
        <Button icon="file-text" onClick={() => print()}>
          {t.printCodes}
        </Button>
        <Button icon="copy" onClick={() => copy(codes.join('\n'), t.codesCopied)}>
          {t.copyCodes}
        </Button>
      </div>
    </>
  )
}

interface KeptProps {
  isKept: boolean
  change: (isKept: boolean) => void
  problem: string
  leave: () => void
}

/** The checkbox by which the person confirms that they have stored the codes. Until then, leaving shows a problem. */
export function Kept({ isKept, change, problem, leave }: KeptProps) {
  useStaying(() => !isKept, leave, true)
  return (
    <>
      <label class="security-kept">
        <input type="checkbox" checked={isKept} onChange={(event) => change(event.currentTarget.checked)} />
        {t.keptCodes}
      </label>
      <p class="error" role="alert">
        {problem}
      </p>
    </>
  )
}

/** The state of the checkbox `Kept`. `leave` calls `done` if it is ticked, and otherwise shows a problem. */
export function useKept(done: () => void) {
  const isKept = useSignal(false)
  const problem = useSignal('')
  const leave = () => {
    if (isKept.value) done()
    else problem.value = t.keepFirst
  }
  return {
    box: {
      leave,
      isKept: isKept.value,
      problem: problem.value,
      change: (now: boolean) => {
        isKept.value = now
        problem.value = ''
      },
    },
    leave,
  }
}

/** Shows new recovery codes until the person confirms that they have stored them. */
export function CodesDialog({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const { box, leave } = useKept(close)
  return (
    <Dialog
      title={t.newCodes}
      close={leave}
      isUnsaved={() => false}
      end={
        <Button kind="main" onClick={leave}>
          {t.done}
        </Button>
      }
    >
      <Codes codes={codes} />
      <Kept {...box} />
    </Dialog>
  )
}
