import { useEffect } from 'preact/hooks'
import { Refusal } from '../platform/refusal.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { t } from './failed-texts.ts'
import { meaningOf } from './failures.ts'
import { t as words } from './texts.ts'

/**
 * Says in place of what could not be read what happened, what is safe, and how the call is found in the portal's log. Where the portal asked
 * for patience, it is asked again after that.
 */
export function Failed({ title, failure, retry }: { title: string; failure: Error; retry: () => void }) {
  const { request, retryAfter } = failure instanceof Refusal ? failure : { request: null, retryAfter: undefined }
  useEffect(() => {
    if (!retryAfter) return
    const timer = setTimeout(retry, retryAfter * 1000)
    return () => clearTimeout(timer)
  }, [failure])
  return (
    <Empty
      icon="cloud-off"
      title={title}
      act={
        <>
          <Button onClick={retry}>{words.retry}</Button>
          {request && (
            <details class="quiet small">
              <summary>{t.details}</summary>
              {t.request} <bdi>{request}</bdi>
            </details>
          )}
        </>
      }
    >
      {`${meaningOf(failure)} ${t.safe}`}
    </Empty>
  )
}
