/** The name of this build, as the server tells its own in `X-Pages`. */
declare const __BUILD__: string
