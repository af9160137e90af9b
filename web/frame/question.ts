import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** A dialog over everything that asks the person something before their act goes on. */
export const Question = signal<ComponentType | undefined>(undefined)
