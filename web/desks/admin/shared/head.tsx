import './head.css'
import type { ComponentChildren } from 'preact'
import { Menu, type MenuItem } from '../../../parts/overlay/menu.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Key } from '../../../parts/show/lines.tsx'
import type { Titled } from '../../../parts/show/title.ts'
import { inLanguage, language } from '../../../platform/language.ts'
import { t } from './texts.ts'

interface HeadProps {
  title: string
  /** The record whose name in the other language and whose key are shown below the title. */
  of?: Titled
  /** Actions in a menu. */
  acts?: readonly MenuItem[]
  /** The content below the names; `aside` is beside them. */
  children?: ComponentChildren
  aside?: ComponentChildren
}

/** The head of a record's page: its name in both languages, its key, and its actions. */
export function Head({ title, of, acts = [], children, aside }: HeadProps) {
  const other = of && (language.value === 'ar' ? of.descriptionEn : of.descriptionAr)
  const [line = ''] = (other ?? '').trim().split('\n')
  return (
    <header class="head">
      <div>
        <h1>{of ? <bdi>{title}</bdi> : title}</h1>
        {of && (
          <p class="quiet head-under">
            {line && line !== title && (
              <span>
                <bdi lang={inLanguage('en', 'ar')}>{line}</bdi>
              </span>
            )}
            {of.name !== title && of.name !== line && (
              <span>
                <Key>{of.name}</Key>
              </span>
            )}
          </p>
        )}
        {children}
      </div>
      {aside}
      {acts.length > 0 && <Menu label={t.acts} face={<Icon name="ellipsis" />} items={[...acts]} />}
    </header>
  )
}
