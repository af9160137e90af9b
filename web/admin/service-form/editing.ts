import type { FormField } from './model.ts'

/** What the parts of the editor share. */
export interface Editing {
  fields: FormField[]
  /** The fields as they are saved: their keys and kinds are fixed. */
  saved: readonly FormField[]
  change: (fields: FormField[]) => void
  /** Gives the open field another key, after its texts. */
  follow: (key: string, next: string) => void
  /** The portal's error of a field, at a path inside it. */
  errorAt: (key: string, at: string) => string | undefined
}
export const savedField = ({ saved }: Editing, key: string) => saved.find((field) => field.key === key)
