/** Makes the eight sounds of notifications, small and quiet: `npm run pages:sounds` writes `web/sounds/*.mp3`, which every browser plays. */
import { mkdir, writeFile } from 'node:fs/promises'
import { Mp3Encoder } from '@breezystack/lamejs'

/** Samples per second. This must be at least three times the highest frequency below. */
const RATE = 24_000
const KBPS = 40
/** The peak of each sound; 1 is the maximum. */
const PEAK = 0.5
/** Samples of an MP3 frame. */
const FRAME = 576
const OCTAVE = 2

interface Tone {
  /** When the tone starts, in s. */
  at?: number
  hz: number
  /** The loudness of the tone relative to the other tones. */
  gain?: number
  /** The time until the tone has faded to a thousandth, in s. */
  lasts: number
  /** The time until the peak of the tone, in s. */
  swells?: number
  /** The frequency to which the tone glides. */
  to?: number
  /** Frequency modulation, which fades with the tone: the modulator's frequency relative to the tone's, and its depth. */
  bend?: { ratio: number; depth: number }
  /** The share of noise, from 0 to 1. */
  noise?: number
}

const A4 = 440
/** The frequency of a note of the tempered scale, given in semitones above `A4`. */
const note = (semitones: number) => A4 * OCTAVE ** (semitones / 12)

const sounds: Record<string, Tone[]> = {
  // One clear stroke.
  ding: [
    { hz: note(19), lasts: 0.7 },
    { hz: note(31), gain: 0.3, lasts: 0.35 },
  ],
  // Three bars, going up.
  chime: [
    { hz: note(10), lasts: 0.5 },
    { at: 0.12, hz: note(15), lasts: 0.5 },
    { at: 0.24, hz: note(19), lasts: 0.65 },
  ],
  // A small brass bell.
  bell: [
    { hz: note(3), lasts: 0.9, bend: { ratio: 3.5, depth: 2.2 } },
    { hz: note(15), gain: 0.4, lasts: 0.6, bend: { ratio: 1.41, depth: 0.8 } },
  ],
  // Two knuckles on wood.
  knock: [0, 0.16].flatMap((at) => [
    { at, hz: 230, to: 150, lasts: 0.14, bend: { ratio: 1.8, depth: 1 } },
    { at, hz: 900, gain: 0.35, lasts: 0.03, noise: 1 },
  ]),
  // A bubble.
  pop: [{ hz: 320, to: 1150, lasts: 0.16, swells: 0.012 }],
  // The same falling call twice, so that nobody misses it.
  alert: [0, 0.26].flatMap((at) => [
    { at, hz: note(14), lasts: 0.3, bend: { ratio: 2, depth: 0.7 } },
    { at: at + 0.1, hz: note(9), lasts: 0.34, bend: { ratio: 2, depth: 0.7 } },
  ]),
  // Two short signals of a device.
  beep: [0, 0.15].map((at) => ({ at, hz: note(12), lasts: 0.22, swells: 0.008, bend: { ratio: 1, depth: 1.1 } })),
  // A breath of two low notes.
  soft: [
    { hz: note(-2), lasts: 0.9, swells: 0.16 },
    { hz: note(5), gain: 0.7, lasts: 0.9, swells: 0.22 },
  ],
}

/** Deterministic noise. */
function noiseFrom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  }
}

function add(samples: Float64Array, { at = 0, hz, to = hz, gain = 1, lasts, swells = 0.004, bend, noise = 0 }: Tone) {
  const random = noiseFrom(1)
  let phase = 0
  for (let index = 0; index < lasts * RATE; index++) {
    const time = index / RATE
    const fades = 10 ** ((-3 * time) / lasts)
    phase += (2 * Math.PI * hz * (to / hz) ** (time / lasts)) / RATE
    const bent = bend ? bend.depth * fades * Math.sin(phase * bend.ratio) : 0
    const wave = (1 - noise) * Math.sin(phase + bent) + noise * random()
    samples[Math.round(at * RATE) + index]! += wave * gain * fades * Math.min(1, time / swells)
  }
}

function wavesOf(tones: Tone[]) {
  const samples = new Float64Array(Math.ceil(Math.max(...tones.map(({ at = 0, lasts }) => at + lasts)) * RATE))
  for (const tone of tones) add(samples, tone)
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  return Int16Array.from(samples, (sample) => ((sample * PEAK) / loudest) * 32_767)
}

function encode(waves: Int16Array) {
  const encoder = new Mp3Encoder(1, RATE, KBPS)
  const parts: Uint8Array[] = []
  for (let at = 0; at < waves.length; at += FRAME) parts.push(encoder.encodeBuffer(waves.subarray(at, at + FRAME)))
  return Buffer.concat([...parts, encoder.flush()].map((part) => Buffer.from(part)))
}

const folder = new URL('../sounds/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [name, tones] of Object.entries(sounds)) {
  const file = encode(wavesOf(tones))
  await writeFile(new URL(`${name}.mp3`, folder), file)
  console.log(`${name}: ${(file.length / 1000).toFixed(1)} kB`)
}
