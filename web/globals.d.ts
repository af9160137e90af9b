/** The name of this build, as the server sends its own in `X-Pages`. */
declare const __BUILD__: string

/** The address of the picture that has every icon of `parts/icons.ts` and `parts/app-icons.ts` by its name. */
declare module 'virtual:icons' {
  const address: string
  export default address
}

/** The names of the icons that an app may have. */
declare module 'virtual:app-icon-names' {
  const names: string[]
  export default names
}
