import { back, go, path, queryValue, setQuery, visit } from '../platform/router.ts'

/** A dialog that is open while the address has a parameter of this name, such as `?order=5`. Going back closes it. */
export function addressDialog(name: string) {
  /** Whether the person is at the step that `open` made. */
  let isOurStep = () => false
  return {
    /** The value of the parameter, or ''. Reading it in a component subscribes the component. */
    opened: () => queryValue(name),
    open(value: string | number) {
      const query = new URLSearchParams(location.search)
      query.set(name, String(value))
      go(`${path.peek()}?${query}`)
      isOurStep = visit()
    },
    close() {
      // Closed already, by going elsewhere.
      if (!queryValue(name)) return
      if (isOurStep()) back()
      else setQuery({ [name]: '' })
    },
  }
}
