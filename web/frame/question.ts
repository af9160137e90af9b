import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The channel on which the page that returns from a provider reports whether confirming succeeded. */
export const CONFIRMED = 'confirmed'

/** A dialog over everything, with a question that the person must answer before their act goes on. */
export const Question = signal<ComponentType | undefined>(undefined)
