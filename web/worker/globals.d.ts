/** The name of the version that this worker belongs to. */
declare const __BUILD__: string

/** The files of that version by name, each with its hash as a browser verifies it. */
declare const __SHELL__: Record<string, string>

interface ExtendableEvent {
  /** Static routing, which not every browser has yet. */
  addRoutes?(rule: { condition: { urlPattern: string }; source: 'network' }): Promise<void>
}
