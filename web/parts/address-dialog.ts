import { back, go, path, queryValue, setQuery } from '../platform/router.ts'

/** A dialog that is open while the address has a parameter of this name, such as `?order=5`. Going back closes it. */
export function addressDialog(name: string) {
  let isOurStep = false
  return {
    /** The value of the parameter, or ''. Reading it in a component subscribes the component. */
    opened: () => queryValue(name),
    open(value: string | number) {
      isOurStep = true
      const query = new URLSearchParams(location.search)
      query.set(name, String(value))
      go(`${path.peek()}?${query}`)
    },
    close() {
      if (isOurStep) back()
      else setQuery({ [name]: '' })
      isOurStep = false
    },
  }
}
