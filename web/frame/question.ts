import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The name of the channel on which a page reports whether confirming succeeded, after the provider has sent the person back to it. */
export const CONFIRMED = 'confirmed'

/** A dialog over everything, with a question that the person must answer before their act goes on. */
export const Question = signal<ComponentType | undefined>(undefined)
