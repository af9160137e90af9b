import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Combobox } from '../forms/combobox.tsx'
import { Dialog } from './dialog.tsx'

interface ChooseDialogProps<Option> {
  title: string
  hint: string
  label: string
  close: () => void
  find: (typed: string) => Option[] | Promise<Option[]>
  choose: (option: Option) => void
  children: (option: Option) => ComponentChildren
}

/** A dialog that finds options by typing and closes when one is chosen. The field has the focus. */
export function ChooseDialog<Option extends { id: number }>({
  title,
  hint,
  label,
  close,
  find,
  choose,
  children,
}: ChooseDialogProps<Option>) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <Dialog title={title} close={close}>
      <p class="quiet">{hint}</p>
      <div ref={box}>
        <Combobox
          label={label}
          placeholder={label}
          find={find}
          id={({ id }) => id}
          isInside
          choose={(option) => {
            close()
            choose(option)
          }}
        >
          {children}
        </Combobox>
      </div>
    </Dialog>
  )
}
