import './cropper.css'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Dialog } from '../overlay/dialog.tsx'
import { Button } from '../show/button.tsx'
import { t } from './cropper-texts.ts'

/** The side of the resulting square, in px. */
const SIDE = 512
const CLOSEST = 4
/** How far an arrow key moves the picture, as a share of the square. */
const STEP = 0.05

interface CropperProps {
  picture: ImageBitmap
  /** Whether the picture will be shown round, as for people. */
  isRound?: boolean
  close: () => void
  /** Called with the square picture. */
  use: (cut: Blob) => Promise<void>
}

/** Cuts a square out of a picture, by mouse, touch or keyboard. */
export function Cropper({ picture, isRound, close, use }: CropperProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const hint = useId()
  const zoom = useSignal(1)
  /** The centre of the square within the picture, from 0 to 1. */
  const middle = useSignal({ x: 0.5, y: 0.5 })
  const isBusy = useSignal(false)

  const shortest = Math.min(picture.width, picture.height)
  const side = shortest / zoom.value
  const within = (value: number, length: number) => Math.min(1 - side / 2 / length, Math.max(side / 2 / length, value))
  const x = within(middle.value.x, picture.width)
  const y = within(middle.value.y, picture.height)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    context.clearRect(0, 0, SIDE, SIDE)
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, x * picture.width - side / 2, y * picture.height - side / 2, side, side, 0, 0, SIDE, SIDE)
  }, [picture, x, y, side])

  /** Moves the picture under the square. Both distances are shares of the square's side. */
  const move = (right: number, down: number) => {
    middle.value = {
      x: within(x - (right * side) / picture.width, picture.width),
      y: within(y - (down * side) / picture.height, picture.height),
    }
  }
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key]
    if (!by) return
    event.preventDefault()
    move(by[0]!, by[1]!)
  }
  const dragged = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { width } = event.currentTarget.getBoundingClientRect()
    move(event.movementX / width, event.movementY / width)
  }
  const save = async () => {
    isBusy.value = true
    const cut = await new Promise<Blob | null>((resolve) => canvas.current?.toBlob(resolve, 'image/webp', 0.9))
    if (cut) await use(cut)
    isBusy.value = false
  }
  return (
    <Dialog
      title={t.crop}
      close={close}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="main" isBusy={isBusy.value} onClick={save}>
            {t.usePicture}
          </Button>
        </>
      }
    >
      <div
        class="crop"
        data-round={isRound}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
        tabIndex={0}
        aria-label={t.cropArea}
        aria-describedby={hint}
        onKeyDown={pressed}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={dragged}
      >
        <canvas ref={canvas} width={SIDE} height={SIDE} />
      </div>
      <p id={hint} class="quiet small">
        {t.cropHint}
      </p>
      <label class="crop-zoom">
        {t.zoom}
        <input
          type="range"
          min={1}
          max={CLOSEST}
          step={0.01}
          value={zoom.value}
          onInput={(event) => {
            zoom.value = event.currentTarget.valueAsNumber
          }}
        />
      </label>
    </Dialog>
  )
}
