import { useSignal } from '@preact/signals'
import type { Resource } from '../../../platform/cache.ts'
import { Button } from '../button.tsx'
import { Section } from '../section.tsx'
import { Loaded } from '../skeleton.tsx'
import { NewToken, type NewTokenProps } from './new-token.tsx'
import type { Token } from './scopes.ts'
import { TokenList } from './tokens.tsx'

interface Props extends Omit<NewTokenProps, 'isOpen' | 'title' | 'close'> {
  of: Resource<Token[]>
  title: string
  hint: string
  /** The text while there are no tokens. */
  none: string
  /** The label of the button that opens the dialog. */
  add: string
  /** The title of the dialog. */
  fresh: string
  /** Why no token may be made, if `mostDays` is null. While it is undefined, it is not known yet. */
  off?: string
  revoke: (token: Token) => Promise<unknown>
}

/** The tokens of one owner, and a button that makes another. */
export function TokensSection({ of, title, hint, none, add, fresh, off, mostDays, revoke, ...making }: Props) {
  const isAdding = useSignal(false)
  return (
    <Section name="tokens" title={title} hint={hint}>
      <Loaded of={of}>{(all) => (all.length > 0 ? <TokenList tokens={all} revoke={revoke} /> : <p class="quiet">{none}</p>)}</Loaded>
      {mostDays === null ? (
        <p>{off}</p>
      ) : (
        <Button
          icon="plus"
          isBusy={isAdding.value && mostDays === undefined}
          onClick={() => {
            isAdding.value = true
          }}
        >
          {add}
        </Button>
      )}
      <NewToken
        {...making}
        isOpen={isAdding.value}
        mostDays={mostDays}
        title={fresh}
        close={() => {
          isAdding.value = false
        }}
      />
    </Section>
  )
}
