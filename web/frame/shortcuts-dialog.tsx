import { Dialog } from '../parts/overlay/dialog.tsx'
import { allShortcuts, keycap } from './shortcuts.ts'
import { t as words } from './shortcuts-texts.ts'
import { t } from './texts.ts'

/** Keys in a `dd`. Keys pressed together are always shown left to right; a sequence follows the direction of the page. */
const Keys = ({ keys, between }: { keys: string[]; between: string }) => (
  <dd dir={between === '+' ? 'ltr' : undefined}>
    {keys.map((key, index) => (
      <span key={key}>
        {index > 0 && <span class="quiet"> {between} </span>}
        <kbd>{key}</kbd>
      </span>
    ))}
  </dd>
)

/** A list of the keys that work on the open page. */
export default function ShortcutsDialog({ close }: { close: () => void }) {
  return (
    <Dialog title={t.shortcuts} close={close}>
      <p class="quiet">{words.hint}</p>
      <dl class="keys">
        <div>
          <dt>{words.find}</dt>
          <Keys keys={['Ctrl', 'K']} between="+" />
        </div>
        <div>
          <dt>{words.undo}</dt>
          <Keys keys={['Ctrl', 'Z']} between="+" />
        </div>
        <div>
          <dt>{words.close}</dt>
          <Keys keys={['Esc']} between="" />
        </div>
        {allShortcuts().map(({ codes, text }) => (
          <div key={codes.join()}>
            <dt>{text()}</dt>
            <Keys keys={codes.map(keycap)} between={words.between} />
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
