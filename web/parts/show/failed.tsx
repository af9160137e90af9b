import { useEffect } from 'preact/hooks'
import { Refusal } from '../../platform/refusal.ts'
import { t as words } from '../texts.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { t } from './failed-texts.ts'
import { meaningOf } from './failures.ts'

/**
 * Stands in place of data that could not be read. Says what happened, that nothing is lost, and the id of the call in the portal's log.
 * Tries again by itself after `Retry-After`.
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
