/** The sounds of notifications: loaded when first played, silent until the browser allows them. */
import type { Schemas } from './client.ts'

export type SoundId = Schemas['AuthUser']['notificationSoundOrder']

const players = new Set<(sound: SoundId) => void>()
/** Says how sounds are played. */
export const playWith = (play: (sound: SoundId) => void) => void players.add(play)
/** Plays a sound, where it can be played. */
export const play = (sound: SoundId) => {
  for (const player of players) player(sound)
}
