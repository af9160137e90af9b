/** The sounds of notifications: fetched when first played, silent until the browser allows them. */
import type { Schemas } from './client.ts'

export type SoundId = Schemas['NotificationSoundId']

export const sounds = ['ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'] as const satisfies SoundId[]

const files = import.meta.glob<string>('../sounds/*.mp3', { eager: true, query: '?url', import: 'default' })
const decoded = new Map<SoundId, Promise<AudioBuffer>>()
const LONGEST_MS = 1000
let device: AudioContext | undefined
let playing = 0

/** Resumes the audio context at a press, because some browsers allow sound only after that. */
function wake() {
  device ??= new AudioContext()
  return device.resume()
}
async function wakeOnce() {
  // The browser does not count a key such as Ctrl as a press, and would warn about an audio context that it does not allow yet.
  if (navigator.userActivation && !navigator.userActivation.isActive) return
  for (const press of presses) removeEventListener(press, onPress, asPressed)
  await wake()
  if (!playing) await device?.suspend()
}
const asPressed = { capture: true, passive: true } as const
const presses = ['pointerup', 'keydown'] as const
const onPress = () => void wakeOnce().catch(() => {})
for (const press of presses) addEventListener(press, onPress, asPressed)

const hasPressed = () => navigator.userActivation?.hasBeenActive ?? device !== undefined
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function read(sound: SoundId) {
  const answer = await fetch(files[`../sounds/${sound}.mp3`]!)
  return device!.decodeAudioData(await answer.arrayBuffer())
}

/** Plays a sound. Returns false if the browser does not allow it or the sound cannot be loaded. */
export async function play(sound: SoundId): Promise<boolean> {
  if (!hasPressed()) return false
  try {
    await Promise.race([wake(), pause(LONGEST_MS)])
    if (device?.state !== 'running') return false
    const buffer = decoded.get(sound) ?? read(sound)
    decoded.set(sound, buffer)
    const source = new AudioBufferSourceNode(device, { buffer: await buffer })
    source.connect(device.destination)
    playing++
    source.onended = () => {
      if (--playing === 0) device?.suspend()
    }
    source.start()
    return true
  } catch {
    decoded.delete(sound)
    return false
  }
}

const PULSES_MS = [60, 60, 60]
/** Vibrates twice, if the device can. */
export const vibrate = () => hasPressed() && navigator.vibrate?.(PULSES_MS)
