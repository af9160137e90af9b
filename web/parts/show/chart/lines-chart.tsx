import './chart.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber, locale } from '../../../platform/language.ts'
import { drawnPoints, type Point, scaleOf, ticksOf, weekends } from './points.ts'
import { t } from './texts.ts'

interface ChartProps {
  /** A sentence that describes the chart; screen readers read it instead of the chart. */
  sentence: string
  /** The name of the value in this period; `before` names the period before. */
  label: string
  before?: string
  points: readonly Point[]
  /** Whether a table replaces the chart; `change` switches. */
  isTable: boolean
  change: (isTable: boolean) => void
  /** A remark beside the legend, such as the lowest day. */
  children?: ComponentChildren
}

const HEIGHT = 230
/** Space around the chart for the numbers of its scales, in px. */
const [EDGE, TOP, FOOT, END] = [44, 16, 26, 16]

const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...options }).format(new Date(day))
const short = (day: string) => format(day, { day: 'numeric', month: 'short' })
const long = (day: string) => format(day, { weekday: 'long', day: 'numeric', month: 'long' })

/**
 * A line chart of days, in reading direction: this period is solid, the period before is dotted. Arrow keys move along the points and read
 * them out. A table can replace the chart.
 */
export function LinesChart({ sentence, label, before, points: all, isTable, change, children }: ChartProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(640)
  const here = useSignal<number | undefined>(undefined)
  const { points, isWeekly } = drawnPoints(all)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => {
      if (box.current) width.value = box.current.clientWidth
    })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [isTable])

  const hasBefore = before !== undefined && points.some((point) => point.before !== undefined)
  const name = (day: string) => (isWeekly ? t.weekOf(long(day)) : long(day))
  const said = ({ day, value, before: was }: Point) =>
    hasBefore && was !== undefined
      ? t.pointBefore(name(day), formatNumber(value), formatNumber(was))
      : t.point(name(day), formatNumber(value))
  const legend = (
    <div class="chart-legend">
      <span data-line="now">{label}</span>
      {hasBefore && <span data-line="before">{before}</span>}
      <span class="chart-note">
        {children} {isWeekly && t.weekly}
      </span>
      <button type="button" class="link" onClick={() => change(!isTable)}>
        {isTable ? t.chart : t.table}
      </button>
    </div>
  )
  if (isTable)
    return (
      <div class="chart card">
        {legend}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
        <div class="chart-table" role="region" aria-label={sentence} tabIndex={0}>
          <table>
            <caption class="unseen">{sentence}</caption>
            <thead>
              <tr>
                <th scope="col">{isWeekly ? t.week : t.day}</th>
                <th scope="col">{label}</th>
                {hasBefore && <th scope="col">{before}</th>}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.day}>
                  <th scope="row">{long(point.day)}</th>
                  <td>{formatNumber(point.value)}</td>
                  {hasBefore && <td>{point.before === undefined ? '' : formatNumber(point.before)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    )

  const isRightToLeft = locale().startsWith('ar')
  const scale = scaleOf(Math.max(...points.map(({ value, before: was = 0 }) => Math.max(value, hasBefore ? was : 0)), 1))
  const most = scale.at(-1)!
  const w = width.value
  const turned = (x: number) => (isRightToLeft ? w - x : x)
  const x = (index: number) => turned(EDGE + (index * (w - EDGE - END)) / Math.max(1, points.length - 1))
  const y = (value: number) => HEIGHT - FOOT - (value / most) * (HEIGHT - FOOT - TOP)
  const at = (index: number, value: number) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
  const path = (values: (number | undefined)[]) =>
    values
      .map((value, index) => (value === undefined ? '' : `${index && values[index - 1] !== undefined ? 'L' : 'M'}${at(index, value)}`))
      .join('')
  const line = path(points.map(({ value }) => value))
  const half = (w - EDGE - END) / Math.max(1, points.length - 1) / 2
  const shade = isWeekly
    ? ''
    : weekends(points)
        .map(([from, to]) => {
          const [one, other] = [x(from), x(to)].toSorted((a, b) => a - b) as [number, number]
          return `M${(one - half).toFixed(1)} ${TOP}H${(other + half).toFixed(1)}V${HEIGHT - FOOT}H${(one - half).toFixed(1)}Z`
        })
        .join('')

  const current = here.value === undefined ? undefined : points[here.value]
  function pressed(event: KeyboardEvent) {
    const onward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
    const now = here.value
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? points.length - 1
          : event.key === 'ArrowLeft' || event.key === 'ArrowRight'
            ? now === undefined
              ? points.length - 1
              : now + (event.key === onward ? 1 : -1)
            : undefined
    if (event.key === 'Escape') here.value = undefined
    else if (to === undefined) return
    else here.value = Math.max(0, Math.min(points.length - 1, to))
    event.preventDefault()
  }
  function pointed(event: PointerEvent & { currentTarget: HTMLElement }) {
    const { left } = event.currentTarget.getBoundingClientRect()
    const way = turned(event.clientX - left) - EDGE
    here.value = Math.max(0, Math.min(points.length - 1, Math.round((way / (w - EDGE - END)) * Math.max(1, points.length - 1))))
  }
  return (
    <div class="chart card">
      {legend}
      <div
        ref={box}
        class="chart-box"
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk its points
        tabIndex={0}
        aria-label={sentence}
        aria-describedby={id}
        onKeyDown={pressed}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={() => {
          here.value = undefined
        }}
        onBlur={() => {
          here.value = undefined
        }}
      >
        <svg viewBox={`0 0 ${w} ${HEIGHT}`} width={w} height={HEIGHT} aria-hidden="true">
          <path class="chart-shade" d={shade} />
          {scale.map((value) => (
            <g key={value}>
              <line x1={turned(EDGE)} x2={turned(w)} y1={y(value)} y2={y(value)} />
              <text x={turned(EDGE - 8)} y={y(value) + 4} text-anchor={isRightToLeft ? 'start' : 'end'} direction="ltr">
                {formatNumber(value, { notation: value >= 10_000 ? 'compact' : 'standard' })}
              </text>
            </g>
          ))}
          {ticksOf(points.length, w - EDGE - END).map((index, order, every) => (
            <text key={index} x={x(index)} y={HEIGHT - 6} text-anchor={order === every.length - 1 && order > 0 ? 'end' : 'middle'}>
              {short(points[index]!.day)}
            </text>
          ))}
          {points.length > 0 && <path class="chart-area" d={`${line}L${at(points.length - 1, 0)}L${at(0, 0)}Z`} />}
          {hasBefore && <path class="chart-before" d={path(points.map((point) => point.before))} />}
          <path class="chart-now" d={line} />
          {current && here.value !== undefined && (
            <g class="chart-point">
              <line x1={x(here.value)} x2={x(here.value)} y1={TOP} y2={HEIGHT - FOOT} />
              <circle cx={x(here.value)} cy={y(current.value)} r="4.5" />
            </g>
          )}
        </svg>
        {current && here.value !== undefined && (
          <span class="chart-tip small" style={{ '--at': `${(100 * turned(x(here.value))) / w}%` }} aria-hidden="true">
            {said(current)}
          </span>
        )}
      </div>
      <p id={id} class="unseen">
        {t.keys}
      </p>
      <p class="unseen" role="status">
        {current && said(current)}
      </p>
    </div>
  )
}
