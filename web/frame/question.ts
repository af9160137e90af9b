import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The channel on which the page that comes back from a provider says how confirming went. */
export const CONFIRMED = 'confirmed'

/** A dialog over everything that asks the person something before their act goes on. */
export const Question = signal<ComponentType | undefined>(undefined)
