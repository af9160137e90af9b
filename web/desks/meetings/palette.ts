import { definePalette, type Finding, type PaletteSource } from '../../frame/palette.ts'
import { plus } from '../../parts/forms/calendar/days.ts'
import type { IconName } from '../../parts/show/icon.tsx'
import { resource } from '../../platform/cache.ts'
import { addressOf, myPlaces, type Place } from './places.ts'
import { titleOf as requestTitle } from './requests/data.ts'
import { titleOf as meetingTitle } from './shared/day.ts'
import { dayName } from './shared/days.ts'
import { officeDay } from './shared/office.ts'
import { standing } from './shared/standing.ts'
import { open, titleOf as taskTitle, underWay } from './tasks/data.ts'
import { both, t } from './texts.ts'

const placeFinding = (place: Place): Finding => ({
  id: `meetings ${place.name}`,
  group: 'pages',
  text: t.names[place.name],
  words: [both.ar.names[place.name], both.en.names[place.name]],
  kind: t.title,
  icon: 'calendar',
  path: addressOf(place, ''),
  isTyped: true,
})

/** How many days ahead the palette searches for meetings. */
const AHEAD = 14

const meetings: PaletteSource = {
  async find(typed) {
    if (!typed) return []
    const today = officeDay()
    const found = await resource('/executive-meetings', { query: { from: today, to: plus(today, AHEAD) } }).load()
    return found.map((meeting) => ({
      id: `meeting ${meeting.id}`,
      group: 'pages',
      text: meetingTitle(meeting),
      words: [meeting.titleAr, meeting.titleEn, ...meeting.attendees.map(({ name }) => name)],
      kind: dayName(meeting.date),
      icon: 'calendar',
      path: `/meetings/${meeting.date}?open=${meeting.id}`,
    }))
  },
}

/** Finds requests that are pending or were returned. Decided requests are only in the list. */
const requests: PaletteSource = {
  async find(typed) {
    if (!typed) return []
    const some = await Promise.all(
      (['pending', 'needs_edit'] as const).map((status) =>
        resource('/executive-meetings/requests', { query: { status, limit: 100 } }).load(),
      ),
    )
    return some
      .flatMap(({ items }) => items)
      .map((request) => ({
        id: `request ${request.id}`,
        group: 'pages',
        text: requestTitle(request),
        words: [request.meeting?.titleAr, request.meeting?.titleEn, request.requester?.displayNameAr, request.requester?.displayNameEn],
        kind: t.kinds.request,
        icon: 'inbox',
        path: `/meetings/requests/${request.id}`,
      }))
  },
}

const tasks: PaletteSource = {
  async find(typed) {
    if (!typed) return []
    return (await Promise.all([open.load(), underWay.load()])).flat().map((task) => ({
      id: `task ${task.id}`,
      group: 'pages',
      text: taskTitle(task),
      words: [task.titleAr, task.titleEn],
      kind: t.kinds.task,
      icon: 'circle-check',
      path: `/meetings/tasks?open=${task.id}`,
    }))
  },
}

const actFinding = (act: keyof typeof t.acts, icon: IconName, path: string): Finding => ({
  id: `act ${act}`,
  group: 'acts',
  text: t.acts[act],
  words: [both.ar.acts[act], both.en.acts[act]],
  icon,
  path,
  isTyped: true,
})

const acts: PaletteSource = {
  async find() {
    const { canMutate } = await standing.load()
    if (!canMutate) return []
    return [
      actFinding('meeting', 'plus', '/meetings/new'),
      actFinding('task', 'plus', '/meetings/tasks?new=1'),
      actFinding('print', 'printer', `/meetings/archives?date=${officeDay()}`),
    ]
  },
}

export default definePalette({ find: () => myPlaces().map(placeFinding) }, meetings, requests, tasks, acts)
