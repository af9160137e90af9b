import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { importStates } from './shapes.ts'

const targetType = 'import'
const FileName = Type.Union([Type.String(), Type.Null()])
const Counts = Type.Record(Type.String(), Type.Integer())
/** The progress of an import, sent to the person who started it. */
const Progress = Type.Object({ starterId: Type.Integer(), state: OneOf(importStates), done: Type.Integer(), total: Type.Integer() })

interface Progressed {
  targetId: number
  facts: { starterId: number; state: (typeof importStates)[number]; done: number; total: number }
}
const toStarter = (_tx: unknown, { targetId: importId, facts: { starterId, ...progress } }: Progressed) => [
  { event: 'import_changed' as const, data: { importId, ...progress }, to: [starterId] },
]

export const importChanges = {
  'import.previewed': kind({
    targetType,
    facts: Type.Object({ fileName: FileName, counts: Counts }),
    audits: () => ({ action: 'import.preview' }),
    emits: 'nothing',
  }),
  'import.applying': kind({
    targetType,
    facts: Type.Object({
      ...Progress.properties,
      fileName: FileName,
      counts: Counts,
      deactivatesMissing: Type.Boolean(),
      invites: Type.Boolean(),
    }),
    isSecurityEvent: true,
    audits: ({ facts: { fileName, counts, deactivatesMissing, invites } }) => ({
      action: 'import.apply',
      metadata: { fileName, counts, deactivatesMissing, invites },
    }),
    emits: (tx, { targetId, facts: { starterId, state, done, total } }) =>
      toStarter(tx, { targetId, facts: { starterId, state, done, total } }),
  }),
  'import.progressed': kind({ targetType, facts: Progress, isKept: false, audits: 'nothing', emits: toStarter }),
  'import.finished': kind({ targetType, facts: Progress, audits: 'nothing', emits: toStarter }),
  /** The starter deleted the import, or uploaded a new file. */
  'import.discarded': kind({ targetType, facts: Progress, audits: 'nothing', emits: toStarter }),
  /** The starter received the links of the import's new people. */
  'import.links_issued': kind({
    targetType,
    facts: Type.Object({ ...Progress.properties, count: Type.Integer() }),
    isSecurityEvent: true,
    audits: ({ facts: { count } }) => ({ action: 'import.links', metadata: { count } }),
    emits: (tx, { targetId, facts: { count: _, ...facts } }) => toStarter(tx, { targetId, facts }),
  }),
}
