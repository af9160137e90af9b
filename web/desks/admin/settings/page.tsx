import './style.css'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { TextField } from '../../../parts/forms/field.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { present } from '../../../platform/ago.ts'
import { queryValue } from '../../../platform/router.ts'
import { type Settings, settings } from './data.ts'
import { Registration } from './registration.tsx'
import { choose, useText } from './saved-field.ts'
import { t } from './texts.ts'
import { currencies, currencyName, officeTime, timeZones, zoneName } from './world.ts'

/** Scrolls to the section that the address names. */
function usePart(isDrawn: boolean) {
  // Called only to subscribe: each navigation renders the page again, and may name a different section.
  queryValue('')
  const part = location.hash
  useEffect(() => {
    if (!isDrawn || !part) return
    // Runs after the frame has scrolled to the top.
    const timer = setTimeout(() => {
      const found = document.getElementById(part.slice(1))
      found?.focus({ preventScroll: true })
      found?.scrollIntoView()
    }, 100)
    return () => clearTimeout(timer)
  }, [isDrawn, part])
}

/** The settings of the portal: its names, registration, and the office's time zone and currency. */
export default function SettingsPage() {
  useTitle(t.title)
  usePart(settings.data !== undefined)
  return (
    <div class="settings">
      <h1>{t.title}</h1>
      <Hint of="admin/settings">{t.purpose}</Hint>
      <Loaded of={settings}>
        {(now) => (
          <>
            <Names now={now} />
            <Registration isOpen={now.registrationOpen} />
            <Office now={now} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function Names({ now }: { now: Settings }) {
  const fields = {
    siteNameAr: useText('siteNameAr', now.siteNameAr),
    siteNameEn: useText('siteNameEn', now.siteNameEn),
    footerTextAr: useText('footerTextAr', now.footerTextAr),
    footerTextEn: useText('footerTextEn', now.footerTextEn),
  }
  const shown = (field: keyof typeof fields) => fields[field].value.trim() || now[field]
  return (
    <Section name="names" title={t.names} hint={t.namesHint}>
      <div class="settings-names">
        <div class="settings-pair">
          {(Object.keys(fields) as (keyof typeof fields)[]).map((name) => (
            <SavedText key={name} name={name} field={fields[name]} most={name.startsWith('site') ? 200 : 300} />
          ))}
        </div>
        <figure class="settings-preview">
          <figcaption class="quiet small">{t.preview}</figcaption>
          {(['ar', 'en'] as const).map((language) => (
            <div key={language} lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
              <b>{shown(language === 'ar' ? 'siteNameAr' : 'siteNameEn')}</b>
              <span class="quiet small">{shown(language === 'ar' ? 'footerTextAr' : 'footerTextEn')}</span>
            </div>
          ))}
        </figure>
      </div>
    </Section>
  )
}

function SavedText({
  name,
  field,
  most,
}: {
  name: 'siteNameAr' | 'siteNameEn' | 'footerTextAr' | 'footerTextEn'
  field: ReturnType<typeof useText>
  most: number
}) {
  return (
    <div class="settings-text">
      <TextField
        label={t[name]}
        name={name}
        value={field.value}
        error={field.error}
        maxLength={most}
        dir={name.endsWith('Ar') ? 'rtl' : 'ltr'}
        onInput={(event) => field.type(event.currentTarget.value)}
        onBlur={field.isOvertaken ? undefined : field.save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') field.save()
          else if (event.key === 'Escape') field.leave()
        }}
      />
      {field.isOvertaken && (
        <div class="settings-choice">
          <Button onClick={field.keepMine}>{t.keepMine}</Button>
          <Button onClick={field.leave}>{t.takeTheirs}</Button>
        </div>
      )}
    </div>
  )
}

function Office({ now }: { now: Settings }) {
  const { timeZone, currency } = now
  return (
    <Section name="office" title={t.office} hint={t.officeHint}>
      <div class="settings-pair">
        <div class="settings-choice-of-many" id="time-zone" tabIndex={-1}>
          <h3>{t.timeZone}</h3>
          <p>
            {zoneName(timeZone)} <bdi class="quiet small">{timeZone}</bdi>
          </p>
          <p class="quiet small">{t.timeZoneNow(officeTime(present()))}</p>
          <Combobox
            label={t.timeZone}
            placeholder={t.findTimeZone}
            find={timeZones}
            id={(zone) => zone}
            choose={(zone) => void choose('timeZone', zone)}
          >
            {(zone) => (
              <>
                {zoneName(zone)} <bdi class="quiet small">{zone}</bdi>
              </>
            )}
          </Combobox>
        </div>
        <div class="settings-choice-of-many" id="currency" tabIndex={-1}>
          <h3>{t.currency}</h3>
          <p>
            {currency ? (
              <>
                {currencyName(currency)} <bdi class="quiet small">{currency}</bdi>
              </>
            ) : (
              t.noCurrency
            )}
          </p>
          <p class="quiet small">{t.currencyHint}</p>
          <Combobox
            label={t.currency}
            placeholder={t.findCurrency}
            find={currencies}
            id={(code) => code}
            choose={(code) => void choose('currency', code)}
          >
            {(code) => (
              <>
                {currencyName(code)} <bdi class="quiet small">{code}</bdi>
              </>
            )}
          </Combobox>
          {currency && (
            <Button kind="plain" onClick={() => choose('currency', null)}>
              {t.noCurrency}
            </Button>
          )}
        </div>
      </div>
    </Section>
  )
}
