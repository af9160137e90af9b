/** Scenes for tests of requests for access: a requester, an approver, and a group that people can ask to join. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { asking } from '../../test/access-requests.ts'
import { both as decide } from '../people/my-access/decide-texts.ts'
import { both } from '../people/my-access/texts.ts'
import { type browser, findings, foreignTexts } from './browser.ts'
import type { Portal } from './portal.ts'

const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })
export const isolated = (text: string) => `\u2068${text}\u2069`
/** Names and typed texts, which may be in either language. */
const known = /Bawaba|admin|\d|finance|test\.made|role/

/** Each call of `scene` makes its own people, group and app. */
export function accessScenes(portal: Portal, visitAs: ReturnType<typeof browser>['visitAs']) {
  const { make, openGroup } = asking(portal)
  let made = 0
  const person = (username: string, ar: string, en: string) => portal.person(username, named(ar, en))
  return {
    person,
    /** A requester, an approver, and a group that opens an app by a role. */
    async scene(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop', policy: object = {}) {
      const n = ++made
      const dana = await person(`dana${n}`, 'دانة', 'Dana')
      const sami = await person(`sami${n}`, 'سامي', 'Sami')
      const permission = await make.newPermission()
      const role = await make.newRole([permission.name])
      const app = await make.newApp({
        ...{ slug: `budget-${n}`, nameAr: `الميزانية ${n}`, nameEn: `Budget ${n}`, iconName: 'chart-pie' },
        ...{ permissionIds: [permission.id], openMode: 'external_iframe', externalUrl: `${portal.base}/icon.svg` },
      })
      const group = await openGroup(
        { approverUserIds: [sami.id], maxDays: 90, ...policy },
        { name: `finance${n}`, descriptionAr: `المالية ${n}`, descriptionEn: `Finance ${n}`, roleIds: [role.id] },
      )
      const ar = language === 'ar'
      const open = async ({ username }: { username: string }, path: string) => {
        const { page } = await visitAs(username, { language, size })
        await page.goto(path)
        return page
      }
      return {
        ...{ n, dana, sami, app, role, group, open },
        ...{ t: both[language], d: decide[language], title: isolated(ar ? `المالية ${n}` : `Finance ${n}`) },
        ...{
          appName: ar ? app.nameAr : app.nameEn,
          nameOf: { dana: isolated(ar ? 'دانة' : 'Dana'), sami: isolated(ar ? 'سامي' : 'Sami') },
        },
      }
    },
    /** Asserts that axe finds nothing, and that no text is in the other language. */
    async fine(page: Page, language: 'ar' | 'en') {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
    },
  }
}
