/** The frame around every room: header, navigation, the room itself, toasts. */
import { useEffect } from 'preact/hooks'
import { Menu } from '../parts/overlay/menu.tsx'
import { Toasts } from '../parts/overlay/toasts.tsx'
import { Avatar } from '../parts/show/avatar.tsx'
import { Icon } from '../parts/show/icon.tsx'
import { isWide } from '../parts/show/wide.ts'
import { resource } from '../platform/cache.ts'
import { isReached } from '../platform/client.ts'
import { formatNumber, language, nameOf } from '../platform/language.ts'
import { at, path } from '../platform/router.ts'
import { chooseLanguage, isSignedIn, me } from '../platform/session.ts'
import { DutyBanner } from './duty.ts'
import { leave } from './leaving.ts'
import { Navigation } from './navigation.tsx'
import { Dialogs, openBell, openPalette, openShortcuts } from './overlays.tsx'
import { Room } from './room.tsx'
import { footer, siteName, ways } from './site.ts'
import { t } from './texts.ts'
import { theme, themeIcons, themes } from './theme.ts'
import { isOlder } from './version.ts'

const unread = resource('/stats/home')

/** A button with the name of the other language, which switches the open page to it. */
function LanguageButton() {
  const other = language.value === 'ar' ? 'en' : 'ar'
  return (
    <button
      type="button"
      class="button language"
      data-kind="plain"
      aria-label={`${t.otherShort}: ${t.switchLanguage}`}
      lang={other}
      onClick={() => chooseLanguage(other)}
    >
      {t.otherShort}
    </button>
  )
}

const themeItems = () =>
  themes.map((one) => ({
    text: t.themes[one],
    icon: themeIcons[one],
    checked: theme.value === one,
    run: () => {
      theme.value = one
    },
  }))

const ThemeMenu = () => <Menu label={t.theme} face={<Icon name={themeIcons[theme.value]} />} items={themeItems()} />

function PersonMenu() {
  const person = me.value
  if (!person) return null
  const other = language.value === 'ar' ? 'en' : 'ar'
  return (
    <Menu
      label={t.account(nameOf(person))}
      face={<Avatar person={person} />}
      head={
        <p class="menu-head">
          <bdi>{nameOf(person)}</bdi>
          <bdi class="quiet small">{person.email}</bdi>
        </p>
      }
      items={[
        { text: t.pages.account, icon: 'user', href: at('/account') },
        { text: t.pages.access, icon: 'key-round', href: at('/access') },
        { text: t.switchLanguage, icon: 'languages', lang: other, run: () => chooseLanguage(other) },
        ...themeItems().map((one, index) => (index ? one : { ...one, apart: true, group: t.theme })),
        { text: t.shortcuts, icon: 'keyboard', apart: true, run: openShortcuts },
        { text: t.signOut, icon: 'log-out', run: leave },
      ]}
    />
  )
}

function Bell() {
  const count = unread.data?.unreadNotifications ?? 0
  return (
    <button
      type="button"
      class="button bell"
      data-kind="plain"
      data-shape="round"
      aria-label={count ? t.unread(count) : t.pages.notifications}
      aria-haspopup="dialog"
      onClick={openBell}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span class="count" aria-hidden="true">
          {formatNumber(Math.min(count, 99))}
        </span>
      )}
    </button>
  )
}

function Finder() {
  return (
    <button type="button" class="find" aria-keyshortcuts="Control+K" aria-haspopup="dialog" onClick={openPalette}>
      <Icon name="search" />
      <span>{t.find}</span>
      <span class="find-keys" aria-hidden="true">
        <kbd dir="ltr">Ctrl K</kbd>
      </span>
    </button>
  )
}

/** Banners above the page, such as a lost connection or a newer version. */
function Banners() {
  return (
    <div class="banners" role="status">
      {!isReached.value && (
        <p class="banner">
          <span>
            <Icon name="wifi-off" size={18} />
            {t.offline}
          </span>
        </p>
      )}
      {isOlder.value && (
        <p class="banner">
          <span>
            <Icon name="refresh-cw" size={18} />
            {t.newer}
          </span>
          <button type="button" class="button" data-kind="plain" onClick={() => location.reload()}>
            {t.reload}
          </button>
        </p>
      )}
      {DutyBanner.value && <DutyBanner.value />}
    </div>
  )
}

export function Shell() {
  useEffect(() => {
    // Tooltips are not needed at once, so they are loaded after the page.
    const tips = import('../parts/overlay/tips.ts').then(({ startTips }) => startTips()).catch(() => undefined)
    return () => void tips.then((end) => end?.())
  }, [])
  const isIn = isSignedIn.value
  const back = isWide.value ? undefined : ways.value.at(-1)
  return (
    <>
      <a class="skip" href={`${at(path.value)}#main`}>
        {t.skip}
      </a>
      <header class="bar" data-in={isIn || undefined}>
        <a class="brand" href={at(back?.path ?? '/')}>
          {back ? (
            <Icon name="arrow-left" />
          ) : (
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M3 22V11a9 9 0 0 1 18 0v11h-5.5V11.5a3.5 3.5 0 0 0-7 0V22z" />
            </svg>
          )}
          <span>{back?.text ?? siteName}</span>
        </a>
        {isIn ? <Navigation /> : <span class="grow" />}
        {isIn && <Finder />}
        <LanguageButton />
        {isIn ? <Bell /> : <ThemeMenu />}
        {isIn && <PersonMenu />}
      </header>
      <Banners />
      <Room />
      {footer.value && <footer class="footer quiet small">{footer}</footer>}
      {isIn && <Toasts />}
      {isIn && <Dialogs />}
    </>
  )
}
