import { compareVersions, validate } from 'compare-versions'
import { cleanText } from '../../platform/text.ts'

export interface Version {
  version: string
  build: string
}

/** The build of a portal that runs from its source. */
export const FROM_SOURCE = 'source'

const MOST_CHARACTERS = 100
/** `validate` also accepts ranges and wildcards, which are no versions of a release. */
const isVersion = (text: string) => /^v?[\d.]+([-+]|$)/i.test(text) && validate(text)

const cleanPart = (part: unknown) => {
  const text = typeof part === 'string' ? cleanText(part, 'line') : ''
  return text && text.length <= MOST_CHARACTERS && text.isWellFormed() ? text : null
}

/** The version in a feed's text, or null if it has none. */
export function readAnnouncement(text: string): Version | null {
  let announced: Partial<Record<keyof Version, unknown>> | null
  try {
    announced = JSON.parse(text)
  } catch {
    return null
  }
  const version = cleanPart(announced?.version)
  const build = cleanPart(announced?.build)
  return version && build && isVersion(version) ? { version, build } : null
}

/** Whether the published version is newer than the running one, or the same version in another build, if the running build is known. */
export function isNewer(latest: Version, current: Version) {
  const order = compareVersions(latest.version, current.version)
  return order > 0 || (order === 0 && current.build !== FROM_SOURCE && latest.build !== current.build)
}
