import type { FormField } from './model.ts'

/** The state and functions that the parts of the editor share. */
export interface Editing {
  fields: FormField[]
  /** The fields at the time of the call. An undo, which may be pressed after further edits, needs them instead of `fields`. */
  now: () => FormField[]
  /** The saved fields, whose keys and kinds are fixed. */
  saved: readonly FormField[]
  change: (fields: FormField[]) => void
  /** Tells the editor that the open field has a new key, made of its texts. */
  follow: (key: string, next: string) => void
  /** The portal's error of a field, at a path inside it. */
  errorAt: (key: string, at: string) => string | undefined
}
export const savedField = ({ saved }: Editing, key: string) => saved.find((field) => field.key === key)
