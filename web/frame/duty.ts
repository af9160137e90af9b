import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The banner for a person whose role requires a second factor that they do not have; undefined for everybody else. */
export const DutyBanner = signal<ComponentType | undefined>(undefined)
