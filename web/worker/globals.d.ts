/** The name of this worker's version. */
declare const __BUILD__: string

/** The files to cache from the start, by name, each with a hash that the browser verifies. Files of desks are not among them. */
declare const __SHELL__: Record<string, string>

interface ExtendableEvent {
  /** Static routing, which some browsers lack. */
  addRoutes?(rule: { condition: { urlPattern: string }; source: 'network' }): Promise<void>
}
