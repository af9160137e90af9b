/** Tells which code has run in this process. Run the process without Node's compile cache, whose functions would count as a whole. */
import { Session } from 'node:inspector/promises'

/**
 * Begins to record; call it before the sources are loaded. The returned function ends the recording. It resolves to a function that tells
 * whether the code at an offset of a source has run.
 */
export async function coverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    session.disconnect()
    const rangesOf = new Map(result.map(({ url, functions }) => [url, functions.flatMap(({ ranges }) => ranges)]))
    return (url: string, offset: number) => {
      const around = (rangesOf.get(url) ?? []).filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
      const sizes = around.toSorted((one, other) => one.endOffset - one.startOffset - (other.endOffset - other.startOffset))
      return (sizes[0]?.count ?? 0) > 0
    }
  }
}
