/** Provides everything that tests of single parts render with, on an otherwise empty page. */
import '../styles/main.css'
import { signal } from '@preact/signals'
import { h, render } from 'preact'
import { Dependents } from '../desks/admin/shared/dependents.tsx'
import { keepFocus } from '../frame/keep-focus.ts'
import { listenForShortcuts } from '../frame/listen-for-shortcuts.ts'
import { addShortcut } from '../frame/shortcuts.ts'
import { followTranslation } from '../frame/translated.ts'
import { AnswerFields } from '../parts/forms/answers/fields.tsx'
import { judge } from '../parts/forms/answers/judging.ts'
import { Calendar } from '../parts/forms/calendar/calendar.tsx'
import { DateField } from '../parts/forms/calendar/date-field.tsx'
import { Span } from '../parts/forms/calendar/span.tsx'
import { Combobox } from '../parts/forms/combobox.tsx'
import { startComposing } from '../parts/forms/composing.ts'
import { SelectField, TextArea, TextField } from '../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../parts/forms/form/form.tsx'
import { useForm } from '../parts/forms/form/use-form.ts'
import { IconPicker } from '../parts/forms/icon-picker.tsx'
import { IdsField } from '../parts/forms/ids-field.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { PictureField } from '../parts/forms/picture-field.tsx'
import { Switch } from '../parts/forms/switch.tsx'
import { TimeField } from '../parts/forms/time/time-field.tsx'
import { DaysPick } from '../parts/lists/filters/days-pick.tsx'
import { Grid } from '../parts/lists/grid.tsx'
import { useLastKnown } from '../parts/lists/last-known.ts'
import { usePages } from '../parts/lists/pages.tsx'
import { Portions } from '../parts/lists/portions.tsx'
import { SearchField } from '../parts/lists/search-field.tsx'
import { listedOf } from '../parts/lists/set-editor/props.ts'
import { SetEditor } from '../parts/lists/set-editor/set-editor.tsx'
import { useSortable } from '../parts/lists/sortable.ts'
import { useChoice } from '../parts/lists/table/choice.ts'
import { Chosen, Table } from '../parts/lists/table/table.tsx'
import { VirtualList } from '../parts/lists/virtual-list.tsx'
import { Consequences } from '../parts/overlay/consequences/consequences.tsx'
import { useForeseen } from '../parts/overlay/consequences/use-foreseen.ts'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { Menu } from '../parts/overlay/menu.tsx'
import { Once } from '../parts/overlay/once.tsx'
import { Popover } from '../parts/overlay/popover.tsx'
import { mayLeave } from '../parts/overlay/staying.ts'
import { startTips } from '../parts/overlay/tips.ts'
import { say, Toasts } from '../parts/overlay/toasts.tsx'
import { Bars } from '../parts/show/chart/bars.tsx'
import { LinesChart } from '../parts/show/chart/lines-chart.tsx'
import { Contents } from '../parts/show/contents.tsx'
import { CopyField } from '../parts/show/copy-field.tsx'
import { CountdownRing } from '../parts/show/countdown-ring.tsx'
import { History } from '../parts/show/history/history.tsx'
import { lazily } from '../parts/show/lazily.tsx'
import { AppLine, PersonLine, TitledLine } from '../parts/show/lines.tsx'
import { PutBackEntry } from '../parts/show/log/put-back.tsx'
import { Moment } from '../parts/show/moment.tsx'
import { Meanwhile } from '../parts/show/presence/meanwhile.tsx'
import { Faces, usePresence } from '../parts/show/presence/presence.tsx'
import { Section } from '../parts/show/section.tsx'
import { Tabs } from '../parts/show/tabs.tsx'
import { chooseDigits, countedAr, countedEn, formatNumber, language } from '../platform/language.ts'
import { Refusal, Unreached } from '../platform/refusal.ts'
import { arrived, at, go, path, startRouting } from '../platform/router.ts'

const stage = {
  ...{ arrived, at, go, path, startRouting },
  ...{ h, render, signal, language, chooseDigits, countedAr, countedEn, formatNumber },
  ...{ AnswerFields, judge },
  ...{ Dependents, Faces, History, Meanwhile, useLastKnown, usePresence },
  ...{ IconPicker, PictureField, Bars, LinesChart, AppLine, PersonLine, TitledLine, Calendar, DateField, DaysPick, Span, TimeField },
  ...{ Consequences, useForeseen },
  ...{ ChangedMeanwhile, Form, Refusal, Save, SetEditor, Unreached, listedOf, useForm },
  ...{ Contents, IdsField, PutBackEntry, Section },
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
    Portions,
    Tabs,
    Toasts,
    VirtualList,
    lazily,
    mayLeave,
    say,
    startComposing,
    startTips,
    usePages,
    useSortable,
  },
}
export type Stage = typeof stage
Object.assign(window, { stage })
