/** A long list, loaded in parts while the person scrolls. Parts far from the window are neither rendered nor reloaded. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Resource } from '../../platform/cache.ts'
import { Loaded } from '../show/skeleton.tsx'
import { t } from './printing-texts.ts'
import { isPrinting } from './state.ts'

interface Memory {
  heights: number[]
  near: boolean[]
  /** How many parts the list is known to have. */
  count: number
}
/** The memory of each list by its name, so that going back restores the scroll position. */
const memories = new Map<string, Memory>()

interface PortionsProps<Row> {
  /** Identifies the list, including its filter. */
  name: string
  of: (offset: number) => Resource<Row[]>
  /** How many rows a part has. */
  size: number
  shape: ComponentChildren
  /** Renders the rows of a part. `isOnly` is true if the list has only this part. */
  children: (rows: Row[], isOnly: boolean) => ComponentChildren
}

const GUESSED_PX = 1200

export function Portions<Row>({ name, of, size, shape, children }: PortionsProps<Row>) {
  const memory = memories.get(name) ?? { heights: [], near: [true], count: 1 }
  memories.set(name, memory)
  const count = useSignal(memory.count)
  const grow = (to: number) => {
    memory.count = Math.max(memory.count, to)
    count.value = memory.count
  }
  const parts = Array.from({ length: Math.max(count.value, memory.count) }, (_, index) => of(index * size))
  return (
    <>
      {parts.map((part, index) => (
        <Portion key={`${name} ${index}`} index={index} memory={memory} of={part} size={size} shape={shape} grow={grow}>
          {(rows) => children(rows, index === 0 && count.value === 1)}
        </Portion>
      ))}
      {isPrinting.value && parts.some((part) => part.peek() === undefined) && <p class="small">{t.printed}</p>}
    </>
  )
}

interface PortionProps<Row> {
  index: number
  memory: Memory
  of: Resource<Row[]>
  size: number
  shape: ComponentChildren
  grow: (to: number) => void
  children: (rows: Row[]) => ComponentChildren
}

function Portion<Row>({ index, memory, of, size, shape, grow, children }: PortionProps<Row>) {
  const isNear = useSignal(memory.near[index] ?? false)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const look = new IntersectionObserver(
      (seen) => {
        // The last entry counts: a quick scroll delivers several at once.
        memory.near[index] = isNear.value = seen.at(-1)!.isIntersecting
      },
      { rootMargin: '1500px 0px' },
    )
    const measure = new ResizeObserver(([size]) => {
      if (isNear.peek()) memory.heights[index] = size!.contentRect.height
    })
    look.observe(box.current!)
    measure.observe(box.current!)
    return () => {
      look.disconnect()
      measure.disconnect()
    }
  }, [])
  const length = isNear.value ? of.data?.length : undefined
  useLayoutEffect(() => {
    if (length === size) grow(index + 2)
  }, [length])
  const height = memory.heights[index] ?? (index ? GUESSED_PX : 0)
  // Printing must not fetch a part again, so its data are read without subscribing.
  const printed = isPrinting.value && !isNear.value ? of.peek() : undefined
  return (
    <div ref={box} style={isNear.value || isPrinting.value ? { blockSize: 'auto' } : { blockSize: `${height}px` }}>
      {isNear.value && (
        <Loaded of={of} shape={shape}>
          {children}
        </Loaded>
      )}
      {printed && children(printed)}
    </div>
  )
}
