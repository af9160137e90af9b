/** Provides everything that tests of single parts render with, on an otherwise empty page. */
import '../styles/main.css'
import { signal } from '@preact/signals'
import { h, render } from 'preact'
import { Dependents } from '../admin/shared/dependents.tsx'
import { keepFocus } from '../frame/keep-focus.ts'
import { listenForShortcuts } from '../frame/listen-for-shortcuts.ts'
import { addShortcut } from '../frame/shortcuts.ts'
import { followTranslation } from '../frame/translated.ts'
import { AnswerFields } from '../parts/answers/fields.tsx'
import { judge } from '../parts/answers/judging.ts'
import { Calendar } from '../parts/calendar/calendar.tsx'
import { DateField } from '../parts/calendar/date-field.tsx'
import { Span } from '../parts/calendar/span.tsx'
import { Bars } from '../parts/chart/bars.tsx'
import { LinesChart } from '../parts/chart/lines-chart.tsx'
import { Combobox } from '../parts/combobox.tsx'
import { startComposing } from '../parts/composing.ts'
import { Consequences } from '../parts/consequences/consequences.tsx'
import { useForeseen } from '../parts/consequences/use-foreseen.ts'
import { CopyField } from '../parts/copy-field.tsx'
import { CountdownRing } from '../parts/countdown-ring.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField, TextArea, TextField } from '../parts/field.tsx'
import { DaysPick } from '../parts/filters/days-pick.tsx'
import { ChangedMeanwhile } from '../parts/form/changed-meanwhile.tsx'
import { Form, Save } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Grid } from '../parts/grid.tsx'
import { History } from '../parts/history/history.tsx'
import { IconPicker } from '../parts/icon-picker.tsx'
import { useLastKnown } from '../parts/last-known.ts'
import { lazily } from '../parts/lazily.tsx'
import { AppLine, PersonLine, TitledLine } from '../parts/lines.tsx'
import { Menu } from '../parts/menu.tsx'
import { Moment } from '../parts/moment.tsx'
import { Once } from '../parts/once.tsx'
import { usePages } from '../parts/pages.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { PictureField } from '../parts/picture-field.tsx'
import { Popover } from '../parts/popover.tsx'
import { Meanwhile } from '../parts/presence/meanwhile.tsx'
import { Faces, usePresence } from '../parts/presence/presence.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { listedOf } from '../parts/set-editor/props.ts'
import { SetEditor } from '../parts/set-editor/set-editor.tsx'
import { useSortable } from '../parts/sortable.ts'
import { Switch } from '../parts/switch.tsx'
import { useChoice } from '../parts/table/choice.ts'
import { Chosen, Table } from '../parts/table/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TimeField } from '../parts/time/time-field.tsx'
import { startTips } from '../parts/tips.ts'
import { say, Toasts } from '../parts/toasts.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { chooseDigits, countedAr, countedEn, formatNumber, language } from '../platform/language.ts'
import { Refusal } from '../platform/refusal.ts'
import { arrived, at, go, path, startRouting } from '../platform/router.ts'

const stage = {
  ...{ arrived, at, go, path, startRouting },
  ...{ h, render, signal, language, chooseDigits, countedAr, countedEn, formatNumber },
  ...{ AnswerFields, judge },
  ...{ Dependents, Faces, History, Meanwhile, useLastKnown, usePresence },
  ...{ IconPicker, PictureField, Bars, LinesChart, AppLine, PersonLine, TitledLine, Calendar, DateField, DaysPick, Span, TimeField },
  ...{ Consequences, useForeseen },
  ...{ ChangedMeanwhile, Form, Refusal, Save, SetEditor, listedOf, useForm },
  ...{ Grid, PasswordField, Popover, SearchField, SelectField, Switch, TextArea, TextField },
  ...{ addShortcut, followTranslation, keepFocus, listenForShortcuts },
  ...{ Chosen, Table, useChoice },
  ...{
    Combobox,
    CopyField,
    CountdownRing,
    Dialog,
    Menu,
    Once,
    Moment,
    Tabs,
    Toasts,
    VirtualList,
    lazily,
    say,
    startComposing,
    startTips,
    usePages,
    useSortable,
  },
}
export type Stage = typeof stage
Object.assign(window, { stage })
