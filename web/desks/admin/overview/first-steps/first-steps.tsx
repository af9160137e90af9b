import './style.css'
import { addressDialog } from '../../../../parts/overlay/address-dialog.ts'
import { Button } from '../../../../parts/show/button.tsx'
import { Glyph } from '../../../../parts/show/glyph.tsx'
import { Icon } from '../../../../parts/show/icon.tsx'
import { resource } from '../../../../platform/cache.ts'
import { formatNumber, named } from '../../../../platform/language.ts'
import { at } from '../../../../platform/router.ts'
import { isDone, type Step, steps } from './rules.ts'
import { proposals, sheets } from './sheets.tsx'
import { hideSteps, known } from './steps.ts'
import { t } from './texts.ts'

const sheet = addressDialog('step')
const apps = resource('/admin/apps')

/** The text of a step's button. The step `app` has a text of its own, because its button is beside proposals. */
const textOf = (step: Step) => (step === 'app' ? t.own : t.begin)

/** The first steps of an empty portal, in any order; each opens a sheet. */
export default function FirstSteps() {
  const now = known()
  if (!now) return null
  const done = steps.filter((step) => isDone(step, now))
  const next = steps.find((step) => !done.includes(step))
  const [opened = '', proposal = ''] = sheet.opened().split('.')
  const Sheet = sheets[opened as Step]
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <p id="first-steps" class="overview-sentence">
        {t.sentence(done.length)}
      </p>
      <div class="first-steps-halves">
        <ol class="card">
          {steps.map((step, index) => (
            <li key={step} data-done={done.includes(step) || undefined} data-next={step === next || undefined}>
              <span class="first-steps-number">
                {done.includes(step) ? <Icon name="check" /> : formatNumber(index + 1)}
                {done.includes(step) && <span class="unseen">{t.done}</span>}
              </span>
              <div>
                <strong>{t.titles[step]}</strong>
                <p class="quiet small">{t.hints[step]}</p>
                {step === 'app' && !done.includes(step) && (
                  <div class="first-steps-proposals">
                    {proposals.map((one) => (
                      <button key={one.iconName} type="button" class="card" onClick={() => sheet.open(`app.${one.iconName}`)}>
                        <span style={{ '--color': one.color }}>
                          <Icon name={one.iconName} />
                        </span>
                        {t.proposals[one.name]}
                      </button>
                    ))}
                  </div>
                )}
              </div>
              {!done.includes(step) && (
                <Button
                  kind={step === next ? 'main' : 'plain'}
                  aria-label={`${textOf(step)}: ${t.titles[step]}`}
                  onClick={() => sheet.open(step)}
                >
                  {textOf(step)}
                </Button>
              )}
            </li>
          ))}
        </ol>
        <figure class="first-steps-home">
          <figcaption class="quiet small">{t.whatTheySee}</figcaption>
          <div>
            {(apps.data?.length ?? 0) > 0 ? (
              <ul>
                {apps.data?.slice(0, 6).map((app) => (
                  <li key={app.id} style={{ '--color': app.color }}>
                    <span data-picture={app.imageUrl ? '' : undefined}>
                      <Glyph app={app} />
                    </span>
                    <bdi class="small">{named(app)}</bdi>
                  </li>
                ))}
              </ul>
            ) : (
              <p class="quiet">{t.emptyHome}</p>
            )}
            <a href={at('/')}>{t.toHome}</a>
          </div>
        </figure>
      </div>
      <p class="quiet small">
        {t.goesAway}{' '}
        <Button kind="plain" onClick={hideSteps}>
          {t.hide}
        </Button>
      </p>
      {Sheet && <Sheet key={sheet.opened()} proposal={proposal} close={sheet.close} />}
    </section>
  )
}
