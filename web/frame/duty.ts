import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** Says that the person's role requires a second factor that they do not have; undefined while nothing is required. */
export const DutyBanner = signal<ComponentType | undefined>(undefined)
