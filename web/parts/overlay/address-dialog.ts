import { back, go, path, queryValue, setQuery, visit } from '../../platform/router.ts'

/** A dialog that is open while the address has a parameter of this name, such as `?order=5`. Going back closes it. */
export function addressDialog(name: string) {
  /** Whether the current step of the history is the one that `open` made. */
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
      // The person has already closed the dialog by going elsewhere.
      if (!queryValue(name)) return
      if (isOurStep()) back()
      else setQuery({ [name]: '' })
    },
  }
}
