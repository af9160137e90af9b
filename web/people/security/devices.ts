import { t } from './texts.ts'

/** Browsers by their `User-Agent`. The order matters, because most browsers also name other browsers in theirs. */
const browsers: [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const first = (all: [RegExp, string][], text: string) => all.find(([form]) => form.test(text))?.[1]

/** The browser and the system of a `User-Agent`; undefined where it is unknown. */
export const deviceOf = (userAgent: string | null) => ({
  browser: first(browsers, userAgent ?? ''),
  system: first(systems, userAgent ?? ''),
  isPhone: /Mobile|iPhone|Android/.test(userAgent ?? ''),
})

/** A name for this device, such as for a passkey that is stored on it. */
export function ownDevice() {
  const { browser, system } = deviceOf(navigator.userAgent)
  return t.device(browser, system)
}
