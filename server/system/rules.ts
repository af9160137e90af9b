import { cleanText } from '../platform/text.ts'

export interface Version {
  version: string
  build: string
}

/** The build of a portal that runs from its source. */
export const FROM_SOURCE = 'source'

const MOST_CHARACTERS = 100
/** Numbers with dots between them, and a release in preparation after a hyphen; what follows a plus tells two builds apart, not two versions. */
const pattern = /^v?(\d+(?:\.\d+)*)(?:-([0-9a-z.-]+))?(?:\+.*)?$/i

const parse = (version: string) => {
  const [, numbers, preparing] = pattern.exec(version) ?? []
  return numbers === undefined ? null : { numbers: numbers.split('.').map(Number), preparing: preparing?.split('.') }
}

const cleanPart = (part: unknown) => {
  const text = typeof part === 'string' ? cleanText(part, 'line') : ''
  return text && text.length <= MOST_CHARACTERS && text.isWellFormed() ? text : null
}

/** The version that a feed's text announces, or null where it announces none. */
export function readAnnouncement(text: string): Version | null {
  let announced: Partial<Record<keyof Version, unknown>> | null
  try {
    announced = JSON.parse(text)
  } catch {
    return null
  }
  const version = cleanPart(announced?.version)
  const build = cleanPart(announced?.build)
  return version && build && parse(version) ? { version, build } : null
}

function compareLists(one: readonly (number | string)[], other: readonly (number | string)[], lacking: number) {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [a, b] = [one[index] ?? lacking, other[index] ?? lacking]
    if (a !== b) return typeof a === typeof b ? (a > b ? 1 : -1) : typeof a === 'string' ? 1 : -1
  }
  return 0
}

/** Numbers come before words, as in semantic versioning. */
const words = (preparing: string[]) => preparing.map((word) => (/^\d+$/.test(word) ? Number(word) : word))

/** Positive where `one` is the newer version, negative where it is the older. A release is newer than itself in preparation. */
function compareVersions(one: string, other: string) {
  const [a, b] = [parse(one), parse(other)]
  if (!a || !b) return 0
  const byNumbers = compareLists(a.numbers, b.numbers, 0)
  if (byNumbers || !(a.preparing || b.preparing)) return byNumbers
  if (!a.preparing || !b.preparing) return a.preparing ? -1 : 1
  return compareLists(words(a.preparing), words(b.preparing), -1)
}

/** Whether another version than the running one is published and newer; of the same version, any other build is, where the running one is known. */
export function isNewer(latest: Version, current: Version) {
  const order = compareVersions(latest.version, current.version)
  return order > 0 || (order === 0 && current.build !== FROM_SOURCE && latest.build !== current.build)
}
