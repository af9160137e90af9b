/** Messages in place of a page. They are part of the first chunk, so they show even if nothing can be loaded. */
import type { ComponentChildren } from 'preact'
import { Button } from '../parts/show/button.tsx'
import { Empty } from '../parts/show/empty.tsx'
import type { IconName } from '../parts/show/icon.tsx'
import { at } from '../platform/router.ts'
import { useTitle } from './site.ts'
import { t } from './texts.ts'

export function Message({ icon, title, hint, children }: { icon: IconName; title: string; hint: string; children?: ComponentChildren }) {
  useTitle(title)
  return (
    <Empty icon={icon} title={title} isPage act={<div class="message-acts">{children}</div>}>
      {hint}
    </Empty>
  )
}

export const ToHome = () => (
  <a class="button" data-kind="main" href={at('/')}>
    {t.home}
  </a>
)

export const NoConnection = ({ retry }: { retry: () => void }) => (
  <Message icon="wifi-off" title={t.noConnection} hint={t.noConnectionHint}>
    <Button kind="main" onClick={retry}>
      {t.retry}
    </Button>
  </Message>
)

export const Broken = () => (
  <Message icon="triangle-alert" title={t.broken} hint={t.brokenHint}>
    <Button kind="main" onClick={() => location.reload()}>
      {t.retry}
    </Button>
    <ToHome />
  </Message>
)

export const Newer = () => (
  <Message icon="refresh-cw" title={t.newer} hint={t.newerHint}>
    <Button kind="main" onClick={() => location.reload()}>
      {t.reload}
    </Button>
  </Message>
)
