/** The name of this build. The server sends the name of its own build in `X-Pages`. */
declare const __BUILD__: string

/** The address of the sprite with all icons of `parts/show/icons.ts` and `parts/show/app-icons.ts`, by name. */
declare module 'virtual:icons' {
  const address: string
  export default address
}

/** The names of the icons that an app may have. */
declare module 'virtual:app-icon-names' {
  const names: string[]
  export default names
}
